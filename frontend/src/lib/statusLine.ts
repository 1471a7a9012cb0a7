import type { AnswerState } from './answerState'
import type { Voice } from './judge'
import type { Verdict } from './verdict'

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

// Why it waits although no judge has failed.
const WAITING = {
  judge_paused: 'paused',
  budget_held: 'budgetHeld',
  budget_unpriced: 'budgetUnpriced',
  fallback: 'fallback',
  cascade: 'cascade',
  rules_fallback: 'rulesFallback',
  for_batch: 'forBatch',
  in_batch: 'inBatch',
} as const

type Standing = Pick<Verdict, 'status' | 'reason' | 'next_attempt_at'> &
  Partial<Pick<Verdict, 'error'>>

// As the kind of an error is called before its message.
const UNUSABLE = 'malformed:'

/** A string of `locales/verdict` and the moment that fills its blank. */
interface Line {
  key: LineKey
  at?: { time: string; withDay: boolean }
}

export type LineKey =
  | `state.${Exclude<AnswerState, 'not_judged'> | 'matches' | 'undecided' | 'nothing_claimed'}`
  | `by.${Exclude<Voice, 'model'>}`
  | `qaConfidence${'High' | 'Medium' | 'Low'}`
  | `status.skipped.${(typeof SKIPPED)[number] | 'other'}`
  | `status.${(typeof WAITING)[keyof typeof WAITING]}`
  | `status.${'succeeded' | 'failed' | 'not_stored' | 'running' | 'queued'}`
  | `status.${'retrying' | 'unusable'}${'' | 'At'}`
  | `status.${'budgetSpent' | 'budgetSpentUntil'}`

/** Where a verdict stands, in one sentence. */
export function statusLine({ status, reason, next_attempt_at: next, error }: Standing): Line {
  if (status === 'skipped') {
    return { key: `status.skipped.${SKIPPED.find((known) => known === reason) ?? 'other'}` }
  }
  if (status === 'succeeded' || status === 'failed' || status === 'not_stored') {
    return { key: `status.${status}` }
  }
  if (status === 'running') return { key: 'status.running' }
  if (isWaiting(reason)) return { key: `status.${WAITING[reason]}` }
  if (reason === 'budget_spent') {
    if (next === null) return { key: 'status.budgetSpent' }
    return { key: 'status.budgetSpentUntil', at: { time: next, withDay: true } }
  }
  if (status === 'queued') return { key: 'status.queued' }
  const why = error?.startsWith(UNUSABLE) ? 'unusable' : 'retrying'
  if (next === null) return { key: `status.${why}` }
  return { key: `status.${why}At`, at: { time: next, withDay: false } }
}

function isWaiting(reason: string | null): reason is keyof typeof WAITING {
  return reason !== null && reason in WAITING
}

/** The time of day of a line's moment, with the day where it may be another one. */
export function momentOf({ time, withDay }: NonNullable<Line['at']>, language: string): string {
  const style = withDay
    ? ({ timeStyle: 'short', dateStyle: 'short' } as const)
    : ({ timeStyle: 'medium' } as const)
  return new Intl.DateTimeFormat(language, style).format(new Date(time))
}
