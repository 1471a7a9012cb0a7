import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'

import { useLive } from './useLive'

export type Run = Schema<'RunView'>
export type RunRequest = Schema<'RunEvaluation'>

const ENDED = ['completed', 'failed', 'cancelled']
export const hasEnded = ({ status }: { status: string }) => ENDED.includes(status)

const ALL = ['runs']
const path = (run_id: string) => ({ params: { path: { run_id } } })

const runsQuery = (dataset: string | null) =>
  infiniteQueryOptions({
    queryKey: [...ALL, 'list', dataset],
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET('/evaluation/runs', {
          params: {
            query: {
              ...(pageParam !== null && { after: pageParam }),
              ...(dataset !== null && { dataset_id: dataset }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    // What is under way changes without us.
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => !page.items.every(hasEnded)) ? 3000 : false,
  })

const runQuery = (id: string) =>
  queryOptions({
    queryKey: [...ALL, id, 'progress'],
    queryFn: ({ signal }) =>
      data(api.GET('/evaluation/runs/{run_id}/progress', { ...path(id), signal })),
  })

const resultsQuery = (id: string) =>
  queryOptions({
    queryKey: [...ALL, id, 'results'],
    queryFn: ({ signal }) => data(api.GET('/evaluation/runs/{run_id}', { ...path(id), signal })),
  })

const findingsQuery = (id: string, language: string) =>
  queryOptions({
    queryKey: [...ALL, id, 'findings', language],
    queryFn: ({ signal }) =>
      data(api.GET('/evaluation/runs/{run_id}/findings', { ...path(id), signal })),
  })

const passagesQuery = (run_id: string, test_case_id: string) =>
  queryOptions({
    queryKey: [...ALL, run_id, 'passages', test_case_id],
    queryFn: ({ signal }) =>
      data(
        api.GET('/evaluation/runs/{run_id}/cases/{test_case_id}/passages', {
          params: { path: { run_id, test_case_id } },
          signal,
        }),
      ),
  })

const estimateQuery = (dataset_id: string, body: RunRequest) =>
  queryOptions({
    queryKey: ['datasets', dataset_id, 'estimate', body],
    queryFn: ({ signal }) =>
      data(
        api.POST('/evaluation/datasets/{dataset_id}/estimate', {
          params: { path: { dataset_id } },
          body,
          signal,
        }),
      ),
  })

export const useRuns = (dataset: string | null) => useInfiniteQuery(runsQuery(dataset))
export const useRun = (id: string) => useQuery({ ...runQuery(id), enabled: id !== '' })
export const useLiveRun = (id: string) =>
  useLive(runQuery(id), `/evaluation/runs/${id}/events`, hasEnded)
export const useResults = (id: string) => useQuery(resultsQuery(id))
export const useFindings = (id: string, language: string) => useQuery(findingsQuery(id, language))
export const useCasePassages = (run: string, testCase: string) =>
  useQuery(passagesQuery(run, testCase))
export const useEstimate = (dataset: string, body: RunRequest, enabled: boolean) =>
  useQuery({ ...estimateQuery(dataset, body), enabled, placeholderData: keepPreviousData })

export function useStartRun(dataset_id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RunRequest) =>
      data(
        api.POST('/evaluation/datasets/{dataset_id}/runs', {
          params: { path: { dataset_id } },
          body,
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...ALL, 'list'] }),
  })
}

export function useCancelRun(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/evaluation/runs/{run_id}/cancel', path(id))),
    onSettled: () => queries.invalidateQueries({ queryKey: ALL }),
  })
}
