import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { api, data } from '@/lib/api'
import { ApiError } from '@/lib/problem'
import type { SseEvent } from '@/lib/readEvents'
import { subscribe } from '@/lib/sse'
import { isFinal, isSettled, verdictAfter, type EvaluationView } from '@/lib/verdict'

interface Polled {
  view: EvaluationView
  /** Milliseconds until it is worth looking again. */
  pollAfter: number
}

const DEFAULT_POLL = 2000
const SHORTEST_POLL = 250

// What a browser asks again by itself with the ETag of what it has.
async function fetchVerdict(id: string, signal: AbortSignal): Promise<Polled> {
  const call = await api.GET('/qa-evaluations/{evaluation_id}', {
    params: { path: { evaluation_id: id } },
    signal,
  })
  const view = await data(Promise.resolve(call))
  const seconds = Number(call.response.headers.get('Retry-After') ?? Number.NaN)
  const pollAfter = Number.isFinite(seconds)
    ? Math.max(SHORTEST_POLL, seconds * 1000)
    : DEFAULT_POLL
  return { view, pollAfter }
}

export function verdictQuery(id: string) {
  return queryOptions({
    queryKey: ['qa-evaluation', id],
    queryFn: ({ signal }) => fetchVerdict(id, signal),
    retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
  })
}

// Browsers open six connections to a server, for all tabs together. Whoever gets none of these
// polls, so that many open verdicts never keep a question from being asked.
const MOST_FOLLOWED = 1
const followers = new Set<AbortSignal>()
// So often in a row the connection may break before polling stands in for it.
const LOSSES = 3

export interface VerdictOptions {
  /** Milliseconds before the first reconnect. */
  firstDelay?: number
}

/** The verdict with that id, followed until nothing more will happen to it: by subscription, and
 * where that fails by poll. Null: nothing to follow (yet). */
export function useVerdict(id: string | null, { firstDelay = 1000 }: VerdictOptions = {}) {
  const client = useQueryClient()
  const [polling, setPolling] = useState(false)
  const query = useQuery({
    ...verdictQuery(id ?? ''),
    enabled: id !== null,
    refetchInterval: ({ state: { data: polled, error } }) => {
      if (error instanceof ApiError && error.status === 404) return false
      if (polled && isSettled(polled.view)) return false
      return polling || error ? (polled?.pollAfter ?? DEFAULT_POLL) : false
    },
  })
  const unsettled = query.data !== undefined && !isSettled(query.data.view)

  useEffect(() => {
    if (id === null || !unsettled) return
    const controller = new AbortController()
    void follow(client, id, { signal: controller.signal, firstDelay, onPolling: setPolling })
    return () => controller.abort()
  }, [client, id, unsettled, firstDelay])

  return { view: query.data?.view, error: query.error }
}

interface Following {
  signal: AbortSignal
  firstDelay: number
  onPolling: (polling: boolean) => void
}

async function follow(
  client: QueryClient,
  id: string,
  { signal, firstDelay, onPolling }: Following,
) {
  if (followers.size >= MOST_FOLLOWED) {
    onPolling(true)
    return
  }
  followers.add(signal)
  signal.addEventListener('abort', () => followers.delete(signal))
  let losses = 0
  const onConnection = (connected: boolean) => {
    losses = connected ? 0 : losses + 1
    onPolling(losses >= LOSSES)
  }
  try {
    const url = `/qa-evaluations/${id}/events`
    for await (const event of subscribe(url, { signal, firstDelay, onConnection })) {
      await take(client, id, event)
    }
  } catch {
    onPolling(true)
  }
  followers.delete(signal)
  if (!signal.aborted) await client.invalidateQueries(verdictQuery(id))
}

/** Shows where the verdict stands; its result, and when a retry is due, are read whole. */
async function take(client: QueryClient, id: string, event: SseEvent): Promise<void> {
  const { queryKey } = verdictQuery(id)
  const known = client.getQueryData(queryKey)
  if (event.event === 'evaluation' && known) {
    const told = verdictAfter(known.view, event) as EvaluationView
    if (!isFinal(told.status)) client.setQueryData(queryKey, { ...known, view: told })
    const waits = told.status === 'retrying' || told.reason !== null
    if (isFinal(told.status) || waits) {
      await client.invalidateQueries({ queryKey })
    }
  }
  if (event.event === 'refinement') await client.invalidateQueries({ queryKey })
}
