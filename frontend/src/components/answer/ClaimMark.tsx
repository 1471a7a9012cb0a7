import { TriangleAlert } from 'lucide-react'
import { Popover, Tooltip } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { Claim } from '@/components/verdict/ClaimList'
import { claimKeys } from '@/lib/claimLook'
import { cn } from '@/lib/cn'

interface Props {
  claim: Claim | undefined
  /** Whether this is the last piece of the claim, which has the button for keyboards and fingers. */
  last: boolean
  children: ReactNode
}

const LINES = { partly: 'decoration-warning', unsupported: 'decoration-danger', supported: '' }

const BUBBLE =
  'bg-card border-border z-40 max-w-xs rounded-md border p-3 text-sm leading-normal font-normal shadow-lg'

/** A statement that the notes do not bear out, underlined. The reason comes on hover, and with the
 * button behind it. */
export function ClaimMark({ claim, last, children }: Props) {
  if (!claim) return <>{children}</>
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
