import { create } from 'zustand'

const KEY = 'searchqa.rulesVerdicts'
const ENOUGH = 5
const SHOWN = 'shown'

/** Whether to say how a model judges: from the fifth verdict by rules on, once in this browser. */
export const useModelJudgeHint = create(() => ({ due: false }))

/** Counts a verdict by rules; one of a model begins anew. What is kept are the ids, or that the
 * hint was shown. */
export function countVerdict(id: string, byRules: boolean): void {
  const stored = localStorage.getItem(KEY) ?? ''
  if (stored === SHOWN) return
  const seen = byRules ? new Set([...stored.split(' ').filter(Boolean), id]) : new Set()
  const due = seen.size >= ENOUGH
  localStorage.setItem(KEY, due ? SHOWN : [...seen].join(' '))
  if (due) useModelJudgeHint.setState({ due })
}
