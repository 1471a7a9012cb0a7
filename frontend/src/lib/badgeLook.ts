import type { Schema } from './api'
import { outcomeOf, type Voice } from './judge'

export type Confidence = Schema<'ReaderEvaluation'>['confidence']
/** What a verdict found: of rules and of refusals their outcome, of all others their confidence. */
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
  falsely_refused: 'outlineDanger',
} as const
// The notes say no more than the answer, which is neither sure nor unsure.
const REFUSED = {
  rightly_refused: { variant: 'outline', icon: 'shield-check' },
  falsely_refused: MODEL.low,
} as const
const OTHER_ICONS = { local: 'cpu', rules: 'ruler', degraded: 'unplug' } as const

/** How a badge looks. That of a model that reads is filled; what rules and detectors find is an
 * outline. */
export function badgeLook(found: Found, voice: Voice) {
  const outcome = outcomeOf(found, voice)
  if (voice === 'model') {
    return outcome && outcome in REFUSED
      ? REFUSED[outcome as keyof typeof REFUSED]
      : MODEL[found.confidence]
  }
  const variant = outcome ? RULES[outcome] : LOCAL[found.confidence]
  return { variant, icon: OTHER_ICONS[voice] }
}

/** The same for a claim, by who compared it with the notes. */
export const CLAIM_LOOKS = {
  judge: { supported: 'success', partly: 'warning', unsupported: 'danger' },
  rules: { supported: 'outlineSuccess', partly: 'outline', unsupported: 'outlineDanger' },
} as const

type Claim = Pick<Schema<'ClaimView'>, 'verdict' | 'fault'>

/** The strings that say of a claim what bears it, or in what way it is doubtful. */
export function claimKeys({ verdict, fault }: Claim) {
  if (!fault) return [`claim.${verdict}`] as const
  return verdict === 'partly'
    ? (['claim.partly', `fault.${fault}`] as const)
    : ([`fault.${fault}`] as const)
}
