import { useMutation, useQueryClient } from '@tanstack/react-query'

import { invalidate } from '@/hooks/useChange'
import { api, data, PAGED, queries } from '@/lib/api'

/** What people should look at first. Its reasons come in the language that is asked in. */
export const useReviewQueue = (language: string) =>
  queries.useInfiniteQuery('get', '/qa-evaluations/review-queue', { language }, PAGED)

export const useAgreement = () => queries.useQuery('get', '/qa-evaluations/agreement')

/** How far people agree with each other. */
export const usePeopleAgreement = () => queries.useQuery('get', '/review/agreement')

/** How many answers are drawn, how many have a label, and whether some are left. */
export const useSampled = () =>
  queries.useQuery('get', '/review/sampled', { params: { query: { limit: 1 } } })

/** Draws answers of the last 30 days. */
export function useDraw(size: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/review/samples', { body: { size, stratify: [] } })),
    onSettled: () => invalidate(client, ['/review/sampled']),
  })
}
