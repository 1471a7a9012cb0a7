import { queries, type Schema } from '@/lib/api'

export type Shown = 'all' | 'worse' | 'better'
export type ComparedCase = Schema<'ComparedCase'>
export type BaselineComparison = Schema<'BaselineComparison'>

export const usePair = (run_id: string, other_id: string) =>
  queries.useQuery('get', '/evaluation/runs/{run_id}/compare/{other_id}', {
    params: { path: { run_id, other_id } },
  })

export const useComparedCases = (run_id: string, other_id: string, show: Shown) =>
  queries.useInfiniteQuery(
    'get',
    '/evaluation/runs/{run_id}/compare/{other_id}/cases',
    { params: { path: { run_id, other_id }, query: { show } } },
    { pageParamName: 'after', initialPageParam: 0, getNextPageParam: (page) => page.next },
  )

export const useBaselineComparison = (run_id: string, others: readonly string[]) =>
  queries.useQuery('get', '/evaluation/runs/{run_id}/comparison', {
    params: { path: { run_id }, query: { other_id: [...others] } },
  })
