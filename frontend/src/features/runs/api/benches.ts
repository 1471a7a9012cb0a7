import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'

import { hasEnded } from './runs'

export type BenchDetail = Schema<'BenchDetail'>
export type JudgeFigures = Schema<'JudgeFigures'>
export type JudgeComparison = Schema<'JudgeComparison'>
export type JudgeDifference = NonNullable<BenchDetail['summary']>['differences'][number]

export interface BenchRequest {
  name: string
  judges: string[]
  /** Labelled answers; without them the feedback of people is measured against. */
  file: File | null
  /** Of the feedback: null takes that on answers drawn at random, where there is any. */
  labels: 'all' | null
  limit: number | null
}

const POLL_MS = 3000
const ALL = ['benches']
const at = (bench_id: string) => ({ params: { path: { bench_id } } })

const benchesQuery = infiniteQueryOptions({
  queryKey: [...ALL, 'list'],
  queryFn: ({ pageParam, signal }) =>
    data(
      api.GET('/evaluation/judge-benches', {
        params: { query: pageParam === null ? {} : { after: pageParam } },
        signal,
      }),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next,
  refetchInterval: ({ state }) =>
    state.data?.pages.some((page) => !page.items.every(hasEnded)) ? POLL_MS : false,
})

const benchQuery = (id: string) =>
  queryOptions({
    queryKey: [...ALL, id],
    queryFn: ({ signal }) =>
      data(api.GET('/evaluation/judge-benches/{bench_id}', { ...at(id), signal })),
    refetchInterval: ({ state }) => (state.data && !hasEnded(state.data) ? POLL_MS : false),
  })

export const useBenches = () => useInfiniteQuery(benchesQuery)
export const useBench = (id: string) => useQuery(benchQuery(id))

function formOf({ judges, file, labels, limit }: BenchRequest): FormData {
  const form = new FormData()
  for (const judge of judges) form.append('judges', judge)
  if (file) form.set('file', file)
  if (labels) form.set('labels', labels)
  if (limit !== null) form.set('limit', String(limit))
  return form
}

/** What a bench would take; nothing is stored. */
export function useBenchEstimate() {
  return useMutation({
    mutationFn: (request: BenchRequest) =>
      data(
        api.POST('/evaluation/judge-benches/estimate', {
          body: { judges: request.judges },
          bodySerializer: () => formOf(request),
        }),
      ),
  })
}

export function useStartBench() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (request: BenchRequest) => {
      const { name, judges, file, labels, limit } = request
      if (!file) {
        const body = { name, judges, labels, limit, seed: 0, threshold: 0.5, judge_spans: true }
        return data(api.POST('/evaluation/judge-benches', { body }))
      }
      const form = formOf(request)
      form.set('name', name)
      return data(
        api.POST('/evaluation/judge-benches/import', {
          body: { file: file.name, judges },
          bodySerializer: () => form,
        }),
      )
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ALL }),
  })
}

export function useCancelBench(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/evaluation/judge-benches/{bench_id}/cancel', at(id))),
    onSettled: () => queries.invalidateQueries({ queryKey: ALL }),
  })
}
