import type { Schema } from './api'
import { outcomeOf, type Voice } from './judge'

export type Confidence = Schema<'ReaderEvaluation'>['confidence']
/** What a verdict found: of rules their outcome, of all others their confidence. */
export interface Found {
  confidence: Confidence
  outcome?: Schema<'ReaderEvaluation'>['outcome']
}

const MODEL = {
  high: { variant: 'success', icon: 'shield-check' },
  medium: { variant: 'warning', icon: 'triangle-alert' },
  low: { variant: 'danger', icon: 'octagon-alert' },
} as const
const LOCAL = { high: 'outline', medium: 'outlineWarning', low: 'outlineDanger' } as const
const RULES = {
  matches: 'outlineSuccess',
  mismatch: 'outlineDanger',
  undecided: 'outlineMuted',
  rightly_refused: 'outlineSuccess',
} as const
const OTHER_ICONS = { local: 'cpu', rules: 'ruler', degraded: 'unplug' } as const

/** How a badge looks. That of a model that reads is filled; what rules and detectors find is an
 * outline. */
export function badgeLook(found: Found, voice: Voice) {
  if (voice === 'model') return MODEL[found.confidence]
  const outcome = outcomeOf(found, voice)
  const variant = outcome ? RULES[outcome] : LOCAL[found.confidence]
  return { variant, icon: OTHER_ICONS[voice] }
}

/** The same for a claim, by who compared it with the notes. */
export const CLAIM_LOOKS = {
  judge: { supported: 'success', partly: 'warning', unsupported: 'danger' },
  rules: { supported: 'outlineSuccess', partly: 'outline', unsupported: 'outlineDanger' },
} as const
