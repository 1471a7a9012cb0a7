import type { Schema } from './api'

/** How the badge of a claim looks, by who compared it with the notes. */
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
