import { api, data, queries, type Schema } from '@/lib/api'

import { useChange } from './useChange'

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

export const useSaveFeedback = (evaluation_id: string) =>
  useChange(
    (body: Schema<'FeedbackCreate'>) =>
      data(
        api.POST('/qa-evaluations/{evaluation_id}/feedback', {
          params: { path: { evaluation_id } },
          body,
        }),
      ),
    STALE,
  )

export const useDeleteFeedback = (evaluation_id: string) =>
  useChange(
    (feedback_id: string) =>
      data(
        api.DELETE('/qa-evaluations/{evaluation_id}/feedback/{feedback_id}', {
          params: { path: { evaluation_id, feedback_id } },
        }),
      ),
    STALE,
  )
