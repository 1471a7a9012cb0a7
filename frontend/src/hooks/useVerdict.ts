import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { api, apiFetch, data } from '@/lib/api'
import { follow } from '@/lib/follow'
import { ApiError, apiError, retryAfter } from '@/lib/problem'
import type { SseEvent } from '@/lib/readEvents'
import { takeStream } from '@/lib/sharedEvents'
import { isFinal, isSettled, verdictAfter, type EvaluationView } from '@/lib/verdict'

interface Polled {
  view: EvaluationView
  /** Milliseconds until it is worth reading again. */
  pollAfter: number
}

const DEFAULT_POLL_MS = 2000
const MIN_POLL_MS = 250

// A browser revalidates by itself with the ETag of what it has.
async function fetchVerdict(id: string, signal: AbortSignal): Promise<Polled> {
  const call = await api.GET('/qa-evaluations/{evaluation_id}', {
    params: { path: { evaluation_id: id } },
    signal,
  })
  const view = await data(Promise.resolve(call))
  const seconds = retryAfter(call.response)
  const pollAfter = seconds === null ? DEFAULT_POLL_MS : Math.max(MIN_POLL_MS, seconds * 1000)
  return { view, pollAfter }
}

const isRefused = (error: unknown) => error instanceof ApiError && error.status < 500

export function verdictQuery(id: string) {
  return queryOptions({
    queryKey: ['qa-evaluation', id],
    queryFn: ({ signal }) => fetchVerdict(id, signal),
    retry: (failures, error) => failures < 2 && !isRefused(error),
  })
}

/** The verdict with that id, followed until nothing more will happen to it. Null: nothing to
 * follow (yet). */
export function useVerdict(id: string | null) {
  const client = useQueryClient()
  const query = useQuery({
    ...verdictQuery(id ?? ''),
    enabled: id !== null,
    refetchInterval: ({ state: { data: polled, error } }) => {
      const isMissing = error instanceof ApiError && error.status === 404
      return polled || !error || isMissing ? false : DEFAULT_POLL_MS
    },
  })
  const unsettled = query.data !== undefined && !isSettled(query.data.view)

  useEffect(() => {
    if (id === null || !unsettled) return
    const controller = new AbortController()
    void followInCache(client, id, controller.signal)
    return () => controller.abort()
  }, [client, id, unsettled])

  return { view: query.data?.view, error: query.error }
}

/** Keeps the cached verdict up to date until it is settled. */
function followInCache(client: QueryClient, id: string, signal: AbortSignal): Promise<void> {
  const query = verdictQuery(id)
  const isDone = ({ view }: Polled) => isSettled(view)
  let isFirst = true
  return follow({
    signal,
    poll: async () => {
      const cached = isFirst ? client.getQueryData(query.queryKey) : undefined
      isFirst = false
      const polled = cached ?? (await client.query({ ...query, staleTime: 0 }))
      return isDone(polled) ? null : polled.pollAfter
    },
    open: async (headers, until) => {
      if (!(await takeStream(until))) return new Response()
      const response = await apiFetch(`/qa-evaluations/${id}/events`, {
        headers: { ...headers, Accept: 'text/event-stream' },
        signal: until,
      })
      if (!response.ok) throw apiError(response, undefined)
      return response
    },
    apply: async (event) => {
      await applyEvent(client, id, event)
      const cached = client.getQueryData(query.queryKey)
      return cached !== undefined && isDone(cached)
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return 0
      return error.status === 404 ? null : (error.retryAfter ?? 0) * 1000
    },
  })
}

/** Shows where the verdict stands; its result, and when a retry is due, are read whole. */
async function applyEvent(client: QueryClient, id: string, event: SseEvent): Promise<void> {
  const { queryKey } = verdictQuery(id)
  const known = client.getQueryData(queryKey)
  if (event.event === 'evaluation' && known) {
    const view = verdictAfter(known.view, event) as EvaluationView
    if (!isFinal(view.status)) client.setQueryData(queryKey, { ...known, view })
    const waits = view.status === 'retrying' || view.reason !== null
    if (isFinal(view.status) || waits) await client.invalidateQueries({ queryKey })
  }
  if (event.event === 'refinement') await client.invalidateQueries({ queryKey })
}
