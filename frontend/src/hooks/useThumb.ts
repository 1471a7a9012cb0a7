import { useTranslation } from 'react-i18next'

import { errorMessage } from '@/lib/errorMessage'
import { toast } from '@/lib/toast'

import { useFeedback, useSay, useTakeBack, type Label } from './useFeedback'
import { useWho } from './useWho'

/** What the reader says of an answer as a whole: the human label of that author. */
export function useThumb(evaluationId: string) {
  const { t } = useTranslation()
  const { data: who } = useWho()
  const { data: said } = useFeedback(evaluationId)
  const say = useSay(evaluationId)
  const takeBack = useTakeBack(evaluationId)
  const mine = said?.find(
    ({ claim_position: position, author }) => position === null && author === who?.token,
  )
  const onError = (error: Error) => toast(errorMessage(error, t), 'error')
  return {
    mine,
    /** Not before it is known what was said, or the first press might replace it unseen. */
    maySay: Boolean(who?.scopes.includes('write') && said),
    isPending: say.isPending || takeBack.isPending,
    /** Keeps what else the same author said of the answer. */
    say: (change: { label?: Label; comment?: string | null }, onSuccess?: () => void) => {
      const label = change.label ?? mine?.label
      if (label === undefined) return
      const { utility_label = null, comment = null } = mine ?? {}
      say.mutate(
        { utility_label, comment, ...change, label },
        { onError, ...(onSuccess && { onSuccess }) },
      )
    },
    takeBack: () => {
      if (mine) takeBack.mutate(mine.id, { onError })
    },
  }
}
