import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '@/lib/api'

/** How many answers are drawn, how many have a label, and whether some are left. */
export function useSampled() {
  return useQuery({
    queryKey: ['sampled'],
    queryFn: ({ signal }) =>
      data(api.GET('/review/sampled', { params: { query: { limit: 1 } }, signal })),
  })
}

/** Draws answers of the last 30 days. */
export function useDraw(size: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/review/samples', { body: { size, stratify: [] } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['sampled'] }),
  })
}
