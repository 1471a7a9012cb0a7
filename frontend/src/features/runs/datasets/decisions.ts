import type { Schema } from '@/lib/api'

export interface Edit {
  question: string
  /** Empty removes it. */
  reference_answer: string
}

/** What a person says of one question. */
export type Decision = 'accepted' | 'rejected' | Edit

export type Decisions = ReadonlyMap<string, Decision>

export type State = 'accepted' | 'rejected' | 'edited' | 'open'

export function stateOf(decision: Decision | undefined): State {
  if (decision === undefined) return 'open'
  return typeof decision === 'string' ? decision : 'edited'
}

export function tally(decisions: Decisions, cases: number): Record<State, number> {
  const counts = { accepted: 0, rejected: 0, edited: 0, open: cases - decisions.size }
  for (const decision of decisions.values()) counts[stateOf(decision)]++
  return counts
}

export function reviewOf(decisions: Decisions): Schema<'DatasetReview'> {
  const all = [...decisions]
  return {
    reject: all.filter(([, decision]) => decision === 'rejected').map(([id]) => id),
    edit: all.flatMap(([id, decision]) =>
      typeof decision === 'string' ? [] : [{ id, ...decision }],
    ),
  }
}

/** The place of the next question without a decision after `from`, round the end; else of the one
 * that follows. */
export function nextOpen(ids: readonly string[], decisions: Decisions, from: number): number {
  for (let step = 1; step < ids.length; step++) {
    const at = (from + step) % ids.length
    const id = ids[at]
    if (id !== undefined && !decisions.has(id)) return at
  }
  return Math.min(from + 1, ids.length - 1)
}
