import type { Schema } from './api'
import type { Voice } from './judge'

export type Confidence = Schema<'ReaderEvaluation'>['confidence']

const MODEL = {
  high: { variant: 'success', icon: 'shield-check' },
  medium: { variant: 'warning', icon: 'triangle-alert' },
  low: { variant: 'danger', icon: 'octagon-alert' },
} as const
const OUTLINES = { high: 'outline', medium: 'outlineWarning', low: 'outlineDanger' } as const
const OTHER_ICONS = { local: 'cpu', rules: 'ruler', degraded: 'unplug' } as const

/** How a badge looks. That of a model that reads is filled; what rules and detectors find is an
 * outline, and never green. */
export function badgeLook(confidence: Confidence, voice: Voice) {
  if (voice === 'model') return MODEL[confidence]
  return { variant: OUTLINES[confidence], icon: OTHER_ICONS[voice] }
}

/** The same for a claim, by who compared it with the notes. */
export const CLAIM_LOOKS = {
  judge: { supported: 'success', partly: 'warning', unsupported: 'danger' },
  rules: { supported: 'outline', partly: 'outlineWarning', unsupported: 'outlineDanger' },
} as const
