import type { TFunction } from 'i18next'

const PURPOSES = [
  'search_qa_verdict',
  'search_qa_evaluation',
  'search_qa_claims',
  'quality_check',
  'claims',
  'nuggets',
  'nugget_support',
  'next_steps',
] as const

/** What a call to a judge was for, by the name of its reply's schema. */
export function purposeName(t: TFunction<'ai'>, purpose: string | null): string {
  const known = PURPOSES.find((name) => name === purpose)
  return known ? t(`purpose.${known}`) : (purpose ?? t('purpose.unknown'))
}
