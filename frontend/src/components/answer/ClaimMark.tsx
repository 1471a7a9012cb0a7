import { Check, TriangleAlert } from 'lucide-react'
import { Popover, Tooltip } from 'radix-ui'
import { type ReactNode, useContext } from 'react'
import { useTranslation } from 'react-i18next'

import type { Claim } from '@/components/verdict/ClaimList'
import { CLAIM_FILLS, claimKeys } from '@/lib/claimLook'
import { cn } from '@/lib/cn'

import { ShownClaim } from './shownClaim'

/** How the marks of an answer lead to the quotes of its notes. */
export interface ClaimLink {
  onClaim: (claim: Claim, isClick: boolean) => void
  source: keyof typeof CLAIM_FILLS
}

interface Props {
  claim: Claim | undefined
  link?: ClaimLink | undefined
  /** Whether this is the last piece of the claim, which has the button for keyboards and fingers. */
  last: boolean
  children: ReactNode
}

const LINES = { partly: 'decoration-warning', unsupported: 'decoration-danger', supported: '' }

const BUBBLE =
  'bg-card border-border z-40 max-w-xs rounded-md border p-3 text-sm leading-normal font-normal shadow-lg'

/** A statement that the notes do not bear out, underlined. The reason comes on hover, and with the
 * button behind it. */
export function ClaimMark({ claim, link, last, children }: Props) {
  if (!claim) return <>{children}</>
  if (link) return <LinkedMark {...{ claim, link, last, children }} />
  return (
    <>
      <Tooltip.Provider delayDuration={200}>
        <Tooltip.Root>
          <Tooltip.Trigger asChild>
            <mark
              className={cn(
                'bg-transparent text-inherit underline decoration-wavy underline-offset-4',
                LINES[claim.verdict],
              )}
            >
              {children}
            </mark>
          </Tooltip.Trigger>
          <Tooltip.Portal>
            <Tooltip.Content className={BUBBLE} sideOffset={4} collisionPadding={8}>
              <Reason claim={claim} />
            </Tooltip.Content>
          </Tooltip.Portal>
        </Tooltip.Root>
      </Tooltip.Provider>
      {last && <ReasonButton claim={claim} />}
    </>
  )
}

/** The same, coloured by its verdict; it leads to its quote, by the button behind it too. */
function LinkedMark({
  claim,
  link: { onClaim, source },
  last,
  children,
}: Required<Props> & { claim: Claim; link: ClaimLink }) {
  const { t } = useTranslation('ai')
  const label = useLabel(claim)
  const isShown = useContext(ShownClaim) === claim.position
  const Icon = claim.verdict === 'supported' ? Check : TriangleAlert
  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- keyboards have the button */}
      <mark
        data-mark={claim.position}
        className={cn(
          'cursor-pointer rounded text-inherit',
          CLAIM_FILLS[source][claim.verdict],
          isShown && 'outline-ring outline-2',
        )}
        onClick={() => onClaim(claim, true)}
      >
        {children}
      </mark>
      {last && (
        <button
          type="button"
          aria-label={t('showEvidence', { claim: claim.claim, label })}
          aria-pressed={isShown}
          className="ml-0.5 inline-flex size-6 items-center justify-center rounded align-text-bottom"
          onClick={() => onClaim(claim, true)}
          onFocus={() => onClaim(claim, false)}
        >
          <Icon aria-hidden className="size-4" />
        </button>
      )}
    </>
  )
}

function ReasonButton({ claim }: { claim: Claim }) {
  const { t } = useTranslation('ai')
  const label = useLabel(claim)
  return (
    <Popover.Root>
      <Popover.Trigger
        type="button"
        aria-label={t('showReason', { claim: claim.claim, label })}
        className={cn(
          'ml-0.5 inline-flex size-6 items-center justify-center rounded align-text-bottom',
          claim.verdict === 'partly' ? 'text-warning' : 'text-danger',
        )}
      >
        <TriangleAlert aria-hidden className="size-4" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className={BUBBLE} sideOffset={4} collisionPadding={8} aria-label={label}>
          <Reason claim={claim} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function useLabel(claim: Claim): string {
  const { t } = useTranslation('ai')
  return claimKeys(claim)
    .map((key) => t(key))
    .join(' · ')
}

function Reason({ claim }: { claim: Claim }) {
  const { t } = useTranslation('ai')
  const { fault, note_index: index, quote, quote_found: found } = claim
  return (
    <>
      <strong>{useLabel(claim)}</strong>
      <p>{claim.reasoning || t('noReason')}</p>
      {fault && fault !== 'not_in_notes' && found && index !== null && (
        <p className="text-muted-foreground">
          {t('noteNumber', { index })}: “{quote}”
        </p>
      )}
    </>
  )
}
