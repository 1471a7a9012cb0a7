import i18n from 'i18next'

import type { JudgedBy } from './judge'

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
export function purposeName(purpose: string | null): string {
  const known = PURPOSES.find((name) => name === purpose)
  return known ? i18n.t(`ai:purpose.${known}`) : (purpose ?? i18n.t('ai:purpose.unknown'))
}

const KINDS: Readonly<Record<string, Exclude<JudgedBy, 'model'>>> = {
  offline: 'rules',
  local: 'local',
}

/** A judge, `provider:model`, by what it is; a model has its own name. */
export function judgeName(judge: string): string {
  const kind = KINDS[judge.split(':', 1)[0] ?? '']
  return kind ? i18n.t(`ai:judge.${kind}`, { name: judge }) : judge
}
