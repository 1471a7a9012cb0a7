import { useQuery, useQueryClient, type QueryFunction, type QueryKey } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'

import { subscribe } from '@/lib/sse'

const POLL_MS = 3000

/** A state that `event: progress` of `url` keeps up to date until it has ended. While no event can
 * arrive, it is asked for again and again instead. */
export function useLive<T, Key extends QueryKey>(
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
