import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { CLAIM_LOOKS, claimKeys } from '@/lib/claimLook'

import { Section } from './Section'
import type { OpenNote } from './SourceList'

export type Claim = Schema<'ClaimView'>

interface Props {
  claims: readonly Claim[]
  /** By whom the claims were compared with the notes. */
  source: keyof typeof CLAIM_LOOKS
  onOpenNote?: OpenNote | undefined
  /** What stands below each claim. */
  below?: ((claim: Claim) => ReactNode) | undefined
}

/** The statements of the answer, what bears each out, and why not. Those that are supported are
 * folded below the others. */
export function ClaimList(props: Props) {
  const { claims, source } = props
  const { t } = useTranslation('ai')
  if (claims.length === 0) return null
  const supported = claims.filter(({ verdict }) => verdict === 'supported')
  const doubted = claims.filter(({ verdict }) => verdict !== 'supported')
  return (
    <Section title={t('claims')} source={source}>
      {doubted.length > 0 && <Claims {...props} claims={doubted} />}
      {supported.length > 0 && (
        <details>
          <summary className="min-h-6">{t('claimsSupported', { count: supported.length })}</summary>
          <Claims {...props} claims={supported} />
        </details>
      )}
    </Section>
  )
}

function Claims({ claims, source, onOpenNote, below }: Props) {
  return (
    <ul className="divide-border grid divide-y">
      {claims.map((claim) => (
        <li key={claim.position} className="grid gap-1 py-2">
          <p>
            <ClaimBadge claim={claim} source={source} /> {claim.claim}
          </p>
          {claim.reasoning && <p className="text-muted-foreground">{claim.reasoning}</p>}
          <ClaimQuote claim={claim} onOpenNote={onOpenNote} />
          {below?.(claim)}
        </li>
      ))}
    </ul>
  )
}

/** What bears a claim, or in what way it is doubtful. */
export function ClaimBadge({ claim, source }: { claim: Claim; source: Props['source'] }) {
  const { t } = useTranslation('ai')
  const words = claimKeys(claim).map((key) => t(key))
  return <Badge variant={CLAIM_LOOKS[source][claim.verdict]}>{words.join(' · ')}</Badge>
}

function ClaimQuote({ claim, onOpenNote }: { claim: Claim; onOpenNote: OpenNote | undefined }) {
  const { t } = useTranslation('ai')
  const { note_index: index, quote, quote_found: found, verdict, fault } = claim
  if (index === null) return null
  const isNearest = fault === 'not_in_notes' && verdict === 'unsupported'
  const name = t('noteNumber', { index })
  return (
    <div className="text-muted-foreground">
      {isNearest && `${t('nearest')} – `}
      {onOpenNote ? (
        <button
          type="button"
          className="underline underline-offset-2"
          onClick={() => onOpenNote(index, quote)}
        >
          {name}
        </button>
      ) : (
        name
      )}
      {quote && `: “${quote}”`}
      {found === false && ` (${t('quoteNotFound')})`}
    </div>
  )
}
