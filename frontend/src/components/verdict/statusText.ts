import type { TFunction } from 'i18next'

import { voiceOf } from '@/lib/judge'
import type { Verdict } from '@/lib/verdict'

const SKIPPED = [
  'disabled',
  'sampled_out',
  'no_context',
  'not_search_qa',
  'cancelled',
  'filtered_feature',
  'filtered_language',
  'filtered_length',
  'filtered_notebook',
] as const

const SURE = {
  high: 'qaConfidenceHigh',
  medium: 'qaConfidenceMedium',
  low: 'qaConfidenceLow',
} as const

// Why it waits although no judge has failed.
const WAITING = {
  judge_paused: 'paused',
  budget_held: 'budgetHeld',
  budget_unpriced: 'budgetUnpriced',
  fallback: 'fallback',
  rules_fallback: 'rulesFallback',
} as const

/** Where a verdict stands, in one sentence. */
export function statusText(verdict: Verdict, t: TFunction<'ai'>, language: string): string {
  const { status, reason, next_attempt_at: next, qa_evaluation: evaluation } = verdict
  if (status === 'skipped') {
    return t(`status.skipped.${SKIPPED.find((known) => known === reason) ?? 'other'}`)
  }
  if (status === 'succeeded') {
    if (!evaluation) return t('status.succeeded')
    const voice = voiceOf(verdict)
    const { confidence } = evaluation
    return t('verdictIs', {
      verdict: voice === 'model' ? t(SURE[confidence]) : t(`found.${voice}.${confidence}`),
    })
  }
  if (status === 'failed' || status === 'not_stored') return t(`status.${status}`)
  if (status === 'running') return t('status.running')
  if (isWaiting(reason)) return t(`status.${WAITING[reason]}`)
  if (reason === 'budget_spent') {
    if (next === null) return t('status.budgetSpent')
    return t('status.budgetSpentUntil', { time: moment(next, language, 'short') })
  }
  if (status === 'queued') return t('status.queued')
  if (next === null) return t('status.retrying')
  return t('status.retryingAt', { time: moment(next, language) })
}

function isWaiting(reason: string | null): reason is keyof typeof WAITING {
  return reason !== null && reason in WAITING
}

/** The time of day; with `dateStyle` the day too, where it may be another one. */
function moment(at: string, language: string, dateStyle?: 'short'): string {
  const timeStyle = dateStyle ?? 'medium'
  return new Intl.DateTimeFormat(language, { timeStyle, dateStyle }).format(new Date(at))
}
