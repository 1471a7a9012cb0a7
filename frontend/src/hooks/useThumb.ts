import { toastError } from '@/lib/toast'

import { useDeleteFeedback, useFeedback, useSaveFeedback, type Label } from './useFeedback'
import { useWho } from './workspace'

/** What the reader thinks of an answer as a whole: the human label of that author. */
export function useThumb(evaluationId: string) {
  const { data: who } = useWho()
  const { data: labels } = useFeedback(evaluationId)
  const save = useSaveFeedback(evaluationId)
  const remove = useDeleteFeedback(evaluationId)
  const mine = labels?.find(
    ({ claim_position: position, author }) => position === null && author === who?.token,
  )
  return {
    mine,
    /** Not before the present label is known, or the first press might replace it unseen. */
    mayLabel: Boolean(who?.scopes.includes('write') && labels),
    isPending: save.isPending || remove.isPending,
    /** Keeps the rest of the same author's feedback. */
    save: (change: { label?: Label; comment?: string | null }, onSuccess?: () => void) => {
      const label = change.label ?? mine?.label
      if (label === undefined) return
      const { utility_label = null, comment = null } = mine ?? {}
      save.mutate(
        { utility_label, comment, ...change, label },
        { onError: toastError, ...(onSuccess && { onSuccess }) },
      )
    },
    remove: () => {
      if (mine) remove.mutate(mine.id, { onError: toastError })
    },
  }
}
