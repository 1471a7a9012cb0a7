import { useMutation, useQueryClient } from '@tanstack/react-query'

import { invalidate, useChange } from '@/hooks/useChange'
import { api, data, PAGED, queries, type Schema } from '@/lib/api'

import { hasEnded } from './runs'

export type BenchDetail = Schema<'BenchDetail'>
export type JudgeFigures = Schema<'JudgeFigures'>
export type JudgeComparison = Schema<'JudgeComparison'>
export type JudgeDifference = NonNullable<BenchDetail['summary']>['differences'][number]

interface BenchRequest {
  name: string
  judges: string[]
  /** Labelled answers; without them the feedback of people is measured against. */
  file: File | null
  /** Of the feedback: null takes that on answers drawn at random, where there is any. */
  labels: 'all' | null
  limit: number | null
}

const POLL_MS = 3000
const STALE = ['/evaluation/judge-benches*'] as const
const at = (bench_id: string) => ({ params: { path: { bench_id } } })

export const useBenches = () =>
  queries.useInfiniteQuery(
    'get',
    '/evaluation/judge-benches',
    {},
    {
      ...PAGED,
      refetchInterval: ({ state }) =>
        state.data?.pages.some((page) => !page.items.every(hasEnded)) ? POLL_MS : false,
    },
  )

export const useBench = (id: string) =>
  queries.useQuery('get', '/evaluation/judge-benches/{bench_id}', at(id), {
    refetchInterval: ({ state }) => (state.data && !hasEnded(state.data) ? POLL_MS : false),
  })

function formOf({ judges, file, labels, limit }: BenchRequest): FormData {
  const form = new FormData()
  for (const judge of judges) form.append('judges', judge)
  if (file) form.set('file', file)
  if (labels) form.set('labels', labels)
  if (limit !== null) form.set('limit', String(limit))
  return form
}

/** What a bench would take; nothing is stored. */
export const useBenchEstimate = () =>
  useMutation({
    mutationFn: (request: BenchRequest) => {
      const bodySerializer = () => formOf(request)
      const body = { judges: request.judges }
      return data(api.POST('/evaluation/judge-benches/estimate', { body, bodySerializer }))
    },
  })

export const useStartBench = () =>
  useChange((request: BenchRequest) => {
    const { name, judges, file, labels, limit } = request
    if (!file) {
      const body = { name, judges, labels, limit, seed: 0, threshold: 0.5, judge_spans: true }
      return data(api.POST('/evaluation/judge-benches', { body }))
    }
    const form = formOf(request)
    form.set('name', name)
    const [body, bodySerializer] = [{ file: file.name, judges }, () => form]
    return data(api.POST('/evaluation/judge-benches/import', { body, bodySerializer }))
  }, STALE)

export function useCancelBench(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/evaluation/judge-benches/{bench_id}/cancel', at(id))),
    onSettled: () => invalidate(client, STALE),
  })
}
