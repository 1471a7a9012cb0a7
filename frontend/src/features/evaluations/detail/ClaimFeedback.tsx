import { useTranslation } from 'react-i18next'

import type { Claim } from '@/components/verdict/ClaimList'
import { errorMessage } from '@/lib/errorMessage'
import { toast } from '@/lib/toast'

import { useFeedback, useSay, type Label } from '../api/feedback'

import { LabelButtons } from './LabelButtons'

/** What people say of one claim: whether it is true to the notes. */
export function ClaimFeedback({ id, claim }: { id: string; claim: Claim }) {
  const { t } = useTranslation('evaluations')
  const { t: common } = useTranslation()
  const { data: all = [] } = useFeedback(id)
  const { mutate, data: mine, isPending } = useSay(id)
  const said = all.filter(({ claim_position: position }) => position === claim.position)
  const counts: Partial<Record<Label, number>> = {}
  for (const { label } of said) counts[label] = (counts[label] ?? 0) + 1
  // Taken back below, it is no longer what I say.
  const chosen = said.find((each) => each.id === mine?.id)?.label ?? null
  return (
    <LabelButtons
      name={t('feedback.ofClaim', { claim: claim.claim })}
      chosen={chosen}
      counts={counts}
      disabled={isPending}
      onChoose={(label) => {
        mutate(
          { label, claim_position: claim.position },
          {
            onError: (error) => {
              toast(errorMessage(error, common), 'error')
            },
          },
        )
      }}
    />
  )
}
