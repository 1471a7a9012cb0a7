import type { Schema } from './api'

/** How the badge of a claim looks, by who compared it with the notes. */
export const CLAIM_LOOKS = {
  judge: { supported: 'success', partly: 'warning', unsupported: 'danger' },
  rules: { supported: 'outlineSuccess', partly: 'outline', unsupported: 'outlineDanger' },
} as const

const LINE = 'bg-transparent underline decoration-dotted underline-offset-4'
/** How its sentence and its quote are marked; what rules found is underlined, not filled. */
export const CLAIM_FILLS = {
  judge: { supported: 'bg-success-soft', partly: 'bg-warning-soft', unsupported: 'bg-danger-soft' },
  rules: {
    supported: `${LINE} decoration-success`,
    partly: LINE,
    unsupported: `${LINE} decoration-danger`,
  },
} as const

type Claim = Pick<Schema<'ClaimView'>, 'verdict' | 'fault'>

/** The strings that say of a claim what bears it, or in what way it is doubtful. */
export function claimKeys({ verdict, fault }: Claim) {
  if (!fault) return [`claim.${verdict}`] as const
  return verdict === 'partly'
    ? (['claim.partly', `fault.${fault}`] as const)
    : ([`fault.${fault}`] as const)
}
