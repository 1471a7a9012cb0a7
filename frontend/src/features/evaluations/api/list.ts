import { infiniteQueryOptions, useInfiniteQuery, type InfiniteData } from '@tanstack/react-query'

import { api, data, queries, type Schema } from '@/lib/api'

import type { ListQuery } from '../filters'

export type EvaluationRow = Schema<'EvaluationRow'>
export type Pages = InfiniteData<Schema<'EvaluationPage'>>

export function fetchPage(query: ListQuery, signal?: AbortSignal) {
  return data(api.GET('/qa-evaluations', { params: { query }, ...(signal && { signal }) }))
}

export function listQuery(query: ListQuery) {
  return infiniteQueryOptions({
    queryKey: ['get', '/qa-evaluations', { pages: query }],
    queryFn: ({ pageParam, signal }) =>
      fetchPage({ ...query, ...(pageParam !== null && { after: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  })
}

export type Matching = Pick<Schema<'Selection'>, 'matching' | 'more'>

/** How many match; undefined until they are counted, and where finding them takes too long.
 * Counting may read all of them, so that coming back to the window does not ask for it. */
export function useTotal(query: ListQuery): Matching | undefined {
  const params = { query: { ...query, order: 'newest' as const, limit: 1 } }
  const options = { retry: false, staleTime: 60_000 }
  return queries.useQuery('get', '/qa-evaluations/ids', { params }, options).data
}

export function useEvaluations(query: ListQuery) {
  return useInfiniteQuery(listQuery(query))
}
