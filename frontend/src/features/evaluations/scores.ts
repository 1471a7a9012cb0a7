import type { TFunction } from 'i18next'

import type { Schema } from '@/lib/api'

/** A score of 0 to 1 as the language writes it; a dash where there is none. */
export function percent(value: number | null | undefined, language: string): string {
  if (value === null || value === undefined) return '–'
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(
    value,
  )
}

interface Scored {
  outcome: Schema<'EvaluationRow'>['outcome']
  correctness: number | null
  utility: number | null
}

/** Both scores of a verdict in words, behind `before`. Those of rules stay in API and SQL: their
 * badge says what they conclude. */
export function scoresOf(
  { outcome, correctness, utility }: Scored,
  t: TFunction<'ai'>,
  language: string,
  before = '',
): string {
  if (outcome) return before
  const texts = [
    `${t('qaCorrectness')} ${percent(correctness, language)}`,
    `${t('qaUtility')} ${percent(utility, language)}`,
  ]
  return [...(before ? [before] : []), ...texts].join(' · ')
}

export function moment(value: string, language: string, timeStyle: 'short' | 'medium' = 'medium') {
  return new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle }).format(
    new Date(value),
  )
}
