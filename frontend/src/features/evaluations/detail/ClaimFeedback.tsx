import { useTranslation } from 'react-i18next'

import type { Claim } from '@/components/verdict/ClaimList'
import { useFeedback, useSaveFeedback, type Label } from '@/hooks/useFeedback'
import { useWho } from '@/hooks/workspace'
import { errorMessage } from '@/lib/errorMessage'
import { toast } from '@/lib/toast'

import { LabelButtons } from './LabelButtons'

/** What people say of one claim: whether it is true to the notes. */
export function ClaimFeedback({ id, claim }: { id: string; claim: Claim }) {
  const { t } = useTranslation('evaluations')
  const { t: common } = useTranslation()
  const { data: all = [] } = useFeedback(id)
  const { data: who } = useWho()
  const { mutate, isPending } = useSaveFeedback(id)
  const said = all.filter(({ claim_position: position }) => position === claim.position)
  const counts: Partial<Record<Label, number>> = {}
  for (const { label } of said) counts[label] = (counts[label] ?? 0) + 1
  // Whoever says nothing else speaks as the token.
  const chosen = said.find(({ author }) => author === who?.token)?.label ?? null
  return (
    <LabelButtons
      name={t('feedback.ofClaim', { claim: claim.claim })}
      chosen={chosen}
      counts={counts}
      disabled={isPending}
      onChoose={(label) =>
        mutate(
          { label, claim_position: claim.position },
          {
            onError: (error) => toast(errorMessage(error, common), 'error'),
          },
        )
      }
    />
  )
}
