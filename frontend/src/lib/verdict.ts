import type { Schema } from './api'
import { listsFindings, outcomeOf, voiceOf } from './judge'
import type { SseEvent } from './readEvents'

export type EvaluationView = Schema<'EvaluationView'>

/** What the pages show of a verdict. An EvaluationView is one; the events of a stream make up
 * another bit by bit. `not_stored`: the database did not take the answer, so no verdict comes. */
export interface Verdict extends Pick<
  EvaluationView,
  | 'reason'
  | 'error'
  | 'degraded'
  | 'judged_by'
  | 'provider'
  | 'model'
  | 'fallback_because'
  | 'next_attempt_at'
  | 'qa_evaluation'
  | 'quality'
  | 'feedback'
> {
  id: string | null
  status: EvaluationView['status'] | 'not_stored'
}

const NOTHING_YET: Verdict = {
  id: null,
  status: 'queued',
  reason: null,
  error: null,
  degraded: false,
  judged_by: null,
  provider: null,
  model: null,
  fallback_because: null,
  next_attempt_at: null,
  qa_evaluation: null,
  quality: null,
  feedback: null,
}

/** What each result of an event says of who gave it. */
type Judge = Pick<Verdict, 'degraded' | 'judged_by' | 'provider' | 'model'>

const RESULTS = ['quality', 'qa_evaluation', 'feedback'] as const

/** A verdict of which only this is known. */
export function verdictOf(told: Pick<Verdict, 'id' | 'status' | 'reason' | 'error'>): Verdict {
  const { id, status, reason, error } = told
  return { ...NOTHING_YET, id, status, reason, error }
}

/** The verdict after one more event of an answer's stream or of `…/events`; events about anything
 * else leave it as it is. */
export function verdictAfter(before: Verdict | null, { event, data }: SseEvent): Verdict | null {
  const verdict = before ?? NOTHING_YET
  if (event === 'evaluation') {
    const { id, status, reason, error } = JSON.parse(data) as Verdict
    return { ...verdict, id, status, reason, error, next_attempt_at: null }
  }
  const result = RESULTS.find((name) => name === event)
  if (!result) return before
  const { degraded, judged_by, provider, model, ...found } = JSON.parse(data) as Judge
  return { ...verdict, degraded, judged_by, provider, model, [result]: found }
}

const FINAL = new Set(['succeeded', 'failed', 'skipped', 'cancelled', 'not_stored'])

export function isFinal(status: Verdict['status'] | Schema<'JobStatus'>): boolean {
  return FINAL.has(status)
}

/** Whether nothing more happens by itself, to the verdict or to a better answer. */
export function isSettled({ status, refinement }: EvaluationView): boolean {
  return isFinal(status) && (refinement === null || isFinal(refinement.status))
}

/** Whether it is worth looking for a better answer. Without the phases, which say so themselves,
 * it is where the answer cannot be trusted. */
export function needsImprovement(verdict: Verdict): boolean {
  const { status, feedback, qa_evaluation } = verdict
  if (status !== 'succeeded') return false
  if (qa_evaluation && !listsFindings(outcomeOf(qa_evaluation, voiceOf(verdict)))) return false
  // Rules know too little of the question to ask for more.
  if (qa_evaluation?.outcome === 'matches') return false
  return feedback?.needs_improvement ?? qa_evaluation?.confidence === 'low'
}
