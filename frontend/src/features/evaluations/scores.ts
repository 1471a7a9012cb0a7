import i18n from 'i18next'

import type { Schema } from '@/lib/api'
import { moments, percent } from '@/lib/figures'

type Scored = Pick<Schema<'EvaluationRow'>, 'outcome' | 'correctness' | 'utility'>

/** Both scores of a verdict in words, behind `before`. Those of rules stay in API and SQL: their
 * badge says what they conclude. */
export function scoresOf({ outcome, correctness, utility }: Scored, before = ''): string {
  if (outcome) return before
  const texts = [
    `${i18n.t('ai:qaCorrectness')} ${percent(correctness)}`,
    `${i18n.t('ai:qaUtility')} ${percent(utility)}`,
  ]
  return [...(before ? [before] : []), ...texts].join(' · ')
}

export const moment = moments({ dateStyle: 'short', timeStyle: 'medium' })
export const shortMoment = moments({ dateStyle: 'short', timeStyle: 'short' })
