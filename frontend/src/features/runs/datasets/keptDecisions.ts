import { useState } from 'react'

import type { Decision, Decisions } from './decisions'

// A review may take days: until it is saved as a version, its decisions are kept by the browser.

const storageKey = (datasetId: string) => `searchqa.review.${datasetId}`

/** What the browser had no room for, or no leave to store; gone with the tab. */
const unkept = new Map<string, Decisions>()

window.addEventListener('beforeunload', (event) => {
  if (unkept.size > 0) event.preventDefault()
})

function read(datasetId: string): Decisions {
  const inTab = unkept.get(datasetId)
  if (inTab) return inTab
  try {
    const stored = localStorage.getItem(storageKey(datasetId))
    return new Map(stored === null ? [] : (JSON.parse(stored) as [string, Decision][]))
  } catch {
    return new Map()
  }
}

function keep(datasetId: string, decisions: Decisions): void {
  try {
    localStorage.setItem(storageKey(datasetId), JSON.stringify([...decisions]))
    unkept.delete(datasetId)
  } catch {
    unkept.set(datasetId, decisions)
  }
}

export function forgetDecisions(datasetId: string): void {
  unkept.delete(datasetId)
  try {
    localStorage.removeItem(storageKey(datasetId))
  } catch {
    // Nothing was stored.
  }
}

/** The decisions of a review as they were left, and how to add one, on top of what another tab has
 * decided meanwhile. */
export function useDecisions(datasetId: string) {
  const [decisions, setDecisions] = useState(() => read(datasetId))
  const decide = (caseId: string, decision: Decision): Decisions => {
    const next = new Map(read(datasetId)).set(caseId, decision)
    keep(datasetId, next)
    setDecisions(next)
    return next
  }
  return { decisions, decide, kept: !unkept.has(datasetId) }
}
