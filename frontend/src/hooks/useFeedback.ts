import { api, data, queries, type Schema } from '@/lib/api'
import { toastError } from '@/lib/toast'

import { useChange } from './useChange'
import { useWho } from './workspace'

export type Feedback = Schema<'HumanFeedbackView'>
export type Label = Feedback['label']

/** What depends on people's labels of any answer. */
export const LABEL_PATHS = [
  '/qa-evaluations',
  '/qa-evaluations/review-queue',
  '/qa-evaluations/agreement',
  '/review/agreement',
  '/review/sampled',
] as const
const STALE = [...LABEL_PATHS, '/qa-evaluations/{evaluation_id}/feedback'] as const

export const useFeedback = (evaluation_id: string) =>
  queries.useQuery('get', '/qa-evaluations/{evaluation_id}/feedback', {
    params: { path: { evaluation_id } },
  })

/** Also while the page closes. */
export function saveFeedback(evaluation_id: string, body: Schema<'FeedbackCreate'>) {
  const init = { params: { path: { evaluation_id } }, body, keepalive: true }
  return data(api.POST('/qa-evaluations/{evaluation_id}/feedback', init))
}

/** Also while the page closes. */
export function deleteFeedback(evaluation_id: string, feedback_id: string) {
  const init = { params: { path: { evaluation_id, feedback_id } }, keepalive: true }
  return data(api.DELETE('/qa-evaluations/{evaluation_id}/feedback/{feedback_id}', init))
}

export const useSaveFeedback = (id: string) =>
  useChange((body: Schema<'FeedbackCreate'>) => saveFeedback(id, body), STALE)

export const useDeleteFeedback = (id: string) =>
  useChange((feedbackId: string) => deleteFeedback(id, feedbackId), STALE)

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
