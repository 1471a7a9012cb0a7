import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'

export type Shown = 'all' | 'worse' | 'better'
export type ComparedCase = Schema<'ComparedCase'>
export type BaselineComparison = Schema<'BaselineComparison'>

const of = (run_id: string, other_id: string) => ({ params: { path: { run_id, other_id } } })

const pairQuery = (first: string, second: string) =>
  queryOptions({
    queryKey: ['runs', first, 'compare', second],
    queryFn: ({ signal }) =>
      data(
        api.GET('/evaluation/runs/{run_id}/compare/{other_id}', { ...of(first, second), signal }),
      ),
  })

const casesQuery = (first: string, second: string, show: Shown) =>
  infiniteQueryOptions({
    queryKey: ['runs', first, 'compare', second, 'cases', show],
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET('/evaluation/runs/{run_id}/compare/{other_id}/cases', {
          params: { ...of(first, second).params, query: { show, after: pageParam } },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
  })

const baselineQuery = (run_id: string, others: readonly string[]) =>
  queryOptions({
    queryKey: ['runs', run_id, 'comparison', others],
    queryFn: ({ signal }) =>
      data(
        api.GET('/evaluation/runs/{run_id}/comparison', {
          params: { path: { run_id }, query: { other_id: [...others] } },
          signal,
        }),
      ),
  })

export const usePair = (first: string, second: string) => useQuery(pairQuery(first, second))
export const useComparedCases = (first: string, second: string, show: Shown) =>
  useInfiniteQuery(casesQuery(first, second, show))
export const useBaselineComparison = (run: string, others: readonly string[]) =>
  useQuery(baselineQuery(run, others))
