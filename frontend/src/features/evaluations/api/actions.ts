import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '@/lib/api'

/** Has the answer judged again; answers with the new verdict's id. */
export function useRejudge(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      data(
        api.POST('/qa-evaluations/{evaluation_id}/rejudge', {
          params: { path: { evaluation_id: id } },
          body: {},
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['qa-evaluations'] }),
  })
}

/** Removes the answer and every trace of it. */
export function useForget() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (answerId: string) =>
      data(api.DELETE('/answers/{answer_id}', { params: { path: { answer_id: answerId } } })),
    onSuccess: () => {
      // Not invalidated: what is gone would be asked for while its page still shows.
      void client.invalidateQueries({ queryKey: ['review-queue'], refetchType: 'none' })
      void client.invalidateQueries({ queryKey: ['qa-evaluations'], refetchType: 'none' })
    },
  })
}
