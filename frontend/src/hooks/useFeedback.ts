import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'

export type Feedback = Schema<'HumanFeedbackView'>
export type Label = Feedback['label']

const keyOf = (id: string) => ['qa-evaluation', id, 'feedback']
const path = (id: string) => ({ evaluation_id: id })

export function useFeedback(id: string) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) =>
      data(
        api.GET('/qa-evaluations/{evaluation_id}/feedback', {
          params: { path: path(id) },
          signal,
        }),
      ),
  })
}

/** What depends on what people say of any answer. */
export function refreshLabels(client: QueryClient) {
  for (const key of ['review-queue', 'agreement', 'sampled', 'qa-evaluations']) {
    void client.invalidateQueries({ queryKey: [key] })
  }
}

function useRefresh(id: string) {
  const client = useQueryClient()
  return async () => {
    refreshLabels(client)
    await client.invalidateQueries({ queryKey: keyOf(id) })
  }
}

export function useSay(id: string) {
  const onSuccess = useRefresh(id)
  return useMutation({
    mutationFn: (body: Schema<'FeedbackCreate'>) =>
      data(
        api.POST('/qa-evaluations/{evaluation_id}/feedback', { params: { path: path(id) }, body }),
      ),
    onSuccess,
  })
}

export function useTakeBack(id: string) {
  const onSuccess = useRefresh(id)
  return useMutation({
    mutationFn: (feedbackId: string) =>
      data(
        api.DELETE('/qa-evaluations/{evaluation_id}/feedback/{feedback_id}', {
          params: { path: { ...path(id), feedback_id: feedbackId } },
        }),
      ),
    onSuccess,
  })
}
