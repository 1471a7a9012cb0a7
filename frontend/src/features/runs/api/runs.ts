import {
  keepPreviousData,
  type QueryFunction,
  type QueryKey,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'

import { invalidate, useChange } from '@/hooks/useChange'
import { api, data, PAGED, queries, type Schema } from '@/lib/api'
import { takeStream } from '@/lib/sharedEvents'
import { subscribe } from '@/lib/sse'

const POLL_MS = 3000

/** A state that `event: progress` of `url` keeps up to date until it has ended. While no event can
 * arrive, it is asked for again and again instead. */
function useLive<T, Key extends QueryKey>(
  { queryKey, queryFn }: { queryKey: Key; queryFn: QueryFunction<T, Key> },
  url: string,
  ended: (state: T) => boolean,
) {
  const queries = useQueryClient()
  const [connected, setConnected] = useState(false)
  const query = useQuery({
    queryKey,
    queryFn,
    refetchInterval: ({ state }) =>
      connected || state.data === undefined || ended(state.data) ? false : POLL_MS,
  })
  const done = query.data !== undefined && ended(query.data)
  const waiting = query.data !== undefined && !done

  const take = useEffectEvent((state: T) => queries.setQueryData<T>(queryKey, state))
  useEffect(() => {
    if (!waiting) return
    const control = new AbortController()
    const listen = async () => {
      if (!(await takeStream(control.signal))) return
      const events = subscribe(url, { signal: control.signal, onConnection: setConnected })
      for await (const { event, data } of events)
        if (event === 'progress') take(JSON.parse(data) as T)
    }
    // What cannot be subscribed to is polled, and a poll shows the error.
    listen().catch(() => setConnected(false))
    return () => control.abort()
  }, [url, waiting])

  return query
}

export type Run = Schema<'RunView'>
export type RunRequest = Schema<'RunEvaluation'>

const ENDED = ['completed', 'succeeded', 'failed', 'cancelled']
/** Of a run, a bench or a job. */
export const hasEnded = ({ status }: { status: string }) => ENDED.includes(status)

const at = (run_id: string) => ({ params: { path: { run_id } } })
const progressQuery = (id: string) =>
  queries.queryOptions('get', '/evaluation/runs/{run_id}/progress', at(id))

export const useRuns = (dataset: string | null) =>
  queries.useInfiniteQuery(
    'get',
    '/evaluation/runs',
    { params: { query: dataset === null ? {} : { dataset_id: dataset } } },
    {
      ...PAGED,
      // What is under way changes without us.
      refetchInterval: ({ state }) =>
        state.data?.pages.some((page) => !page.items.every(hasEnded)) ? POLL_MS : false,
    },
  )

export const useRun = (id: string) =>
  queries.useQuery('get', '/evaluation/runs/{run_id}/progress', at(id), { enabled: id !== '' })

export const useLiveRun = (id: string) =>
  useLive(progressQuery(id), `/evaluation/runs/${id}/events`, hasEnded)

export const useLiveJob = (job_id: string) =>
  useLive(
    queries.queryOptions('get', '/jobs/{job_id}', { params: { path: { job_id } } }),
    `/jobs/${job_id}/events`,
    hasEnded,
  )

export const useResults = (id: string) =>
  queries.useQuery('get', '/evaluation/runs/{run_id}', at(id))

export const useFindings = (id: string, language: string) =>
  queries.useQuery('get', '/evaluation/runs/{run_id}/findings', { ...at(id), language })

export const useCasePassages = (run_id: string, test_case_id: string) =>
  queries.useQuery('get', '/evaluation/runs/{run_id}/cases/{test_case_id}/passages', {
    params: { path: { run_id, test_case_id } },
  })

const onDataset = (dataset_id: string) => ({ params: { path: { dataset_id } } })

export const useEstimate = (dataset: string, body: RunRequest, enabled: boolean) =>
  queries.useQuery(
    'post',
    '/evaluation/datasets/{dataset_id}/estimate',
    { ...onDataset(dataset), body },
    { enabled, placeholderData: keepPreviousData },
  )

export const useStartRun = (dataset: string) =>
  useChange(
    (body: RunRequest) =>
      data(api.POST('/evaluation/datasets/{dataset_id}/runs', { ...onDataset(dataset), body })),
    ['/evaluation/runs'],
  )

export function useCancelRun(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/evaluation/runs/{run_id}/cancel', at(id))),
    onSettled: () => invalidate(client, ['/evaluation/runs*']),
  })
}
