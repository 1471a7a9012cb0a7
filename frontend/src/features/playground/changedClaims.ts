import type { Claim } from '@/components/verdict/ClaimList'

export interface ChangedClaim {
  text: string
  /** Null where only the other verdict has the statement. */
  from: Claim['verdict'] | null
  to: Claim['verdict'] | null
  reasoning: string
}

/** A statement by its place in the answer, or by its words where it was not found there. */
const keyOf = ({ start, end, claim }: Claim) =>
  start === null || end === null ? claim : `${start}-${end}`

/** The statements of one answer that two verdicts judge otherwise, in its order. */
export function changedClaims(before: readonly Claim[], after: readonly Claim[]): ChangedClaim[] {
  const old = new Map(before.map((claim) => [keyOf(claim), claim]))
  const fresh = new Set(after.map(keyOf))
  const changed = after
    .filter((claim) => old.get(keyOf(claim))?.verdict !== claim.verdict)
    .map((claim) => ({
      text: claim.claim,
      from: old.get(keyOf(claim))?.verdict ?? null,
      to: claim.verdict,
      reasoning: claim.reasoning,
    }))
  const gone = before
    .filter((claim) => !fresh.has(keyOf(claim)))
    .map(({ claim, verdict }) => ({ text: claim, from: verdict, to: null, reasoning: '' }))
  return [...changed, ...gone]
}
