import { apiFetch } from './api'
import { pause } from './pause'
import { ApiError, apiError } from './problem'
import { readEvents, type Reading, type SseEvent } from './readEvents'

/** The events that one request answers with, `POST /ai/stream` for one. Throws ApiError. */
export async function* streamEvents(
  url: string,
  init: RequestInit = {},
  reading: Reading = {},
): AsyncGenerator<SseEvent, void, undefined> {
  const headers = new Headers(init.headers)
  headers.set('Accept', 'text/event-stream')
  const response = await apiFetch(url, { ...init, headers })
  if (!response.ok) throw apiError(response, await response.json().catch(() => null))
  if (response.status === 204 || !response.body) throw new NothingMore()
  yield* readEvents(response.body, reading)
}

/** By 204 the server tells a subscriber not to come back. */
class NothingMore extends Error {}

interface Subscription {
  signal: AbortSignal
  /** Where to go on; without it, at the present state. */
  lastEventId?: string | null
  /** Milliseconds before the first reconnect; doubles with each failure in a row. */
  firstDelay?: number
  maxDelay?: number
  /** Told whether events can arrive now. */
  onConnection?: (connected: boolean) => void
}

const RETRIED = new Set([408, 429, 500, 502, 503, 504])

/** Events of a `GET`, over lost connections and restarts of the server, without gap by
 * Last-Event-ID. Ends when the server says that nothing more comes, or with the signal. Throws
 * ApiError for what asking again cannot mend. */
export async function* subscribe(
  url: string,
  { signal, lastEventId = null, firstDelay = 1000, maxDelay = 30_000, onConnection }: Subscription,
): AsyncGenerator<SseEvent, void, undefined> {
  let base = firstDelay
  let failures = 0
  const left = () => signal.aborted
  const reading = { onRetry: (milliseconds: number) => (base = milliseconds) }
  while (!left()) {
    let wait = 0
    try {
      const headers = lastEventId === null ? {} : { 'Last-Event-ID': lastEventId }
      for await (const event of streamEvents(url, { headers, signal }, reading)) {
        failures = 0
        onConnection?.(true)
        if (event.id !== null) lastEventId = event.id
        yield event
      }
    } catch (error) {
      if (left() || error instanceof NothingMore) return
      if (error instanceof ApiError && !RETRIED.has(error.status)) throw error
      wait = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0
    }
    onConnection?.(false)
    const backoff = Math.min(maxDelay, base * 2 ** failures++)
    // Jitter keeps the readers of a restarted server from coming back all at once.
    await pause(Math.max(wait, backoff * (0.5 + Math.random() / 2)), signal)
  }
}
