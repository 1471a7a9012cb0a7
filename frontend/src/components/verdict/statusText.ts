import type { TFunction } from 'i18next'

import type { Verdict } from '@/lib/verdict'

const SKIPPED = ['disabled', 'sampled_out', 'no_context', 'not_search_qa'] as const

/** Where a verdict stands, in one sentence. */
export function statusText(verdict: Verdict, t: TFunction<'ai'>, language: string): string {
  const { status, reason, next_attempt_at: next, qa_evaluation: evaluation } = verdict
  if (status === 'skipped') {
    return t(`status.skipped.${SKIPPED.find((known) => known === reason) ?? 'other'}`)
  }
  if (status === 'succeeded') {
    return evaluation ? t(`verdictIs.${evaluation.confidence}`) : t('status.succeeded')
  }
  if (status === 'failed' || status === 'not_stored') return t(`status.${status}`)
  if (reason === 'judge_paused') return t('status.paused')
  if (status !== 'retrying') return t(`status.${status}`)
  if (next === null) return t('status.retrying')
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(new Date(next))
  return t('status.retryingAt', { time })
}
