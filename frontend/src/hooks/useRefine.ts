import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '@/lib/api'

import { verdictQuery } from './useVerdict'

/** Has a better answer looked for than the one that was judged. */
export function useRefine(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      data(
        api.POST('/qa-evaluations/{evaluation_id}/refine', {
          params: { path: { evaluation_id: id } },
          body: {},
        }),
      ),
    onSuccess: () => client.invalidateQueries(verdictQuery(id)),
  })
}
