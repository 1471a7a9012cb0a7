import { pause } from './pause'
import { readEvents, type SseEvent } from './readEvents'

/** One state that changes until it is final, and how to read it. */
interface Followed {
  signal: AbortSignal
  /** Reads the state. Milliseconds until it is worth reading again; null: it is final. */
  poll: () => Promise<number | null>
  /** Requests the stream of events, with `Last-Event-ID` where one broke off. */
  open: (headers: Record<string, string>, signal: AbortSignal) => Promise<Response>
  /** Applies an event. Whether the state is final. */
  apply: (event: SseEvent) => boolean | Promise<boolean>
  /** Milliseconds to wait at least after a failed poll; null: retrying does not help. */
  onError: (error: unknown) => number | null
}

// Browsers open six connections to a server, for all tabs together; the other followers poll.
const MAX_STREAMS = 1
// Losses in a row without an event, after which polling replaces the stream.
const MAX_LOSSES = 3
// The server sends a comment every 15 seconds; a proxy that buffers the stream sends none.
const SILENCE_MS = 40_000
const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 30_000
const streams = new Set<AbortSignal>()

/** Reads the state, then follows it until it is final: by server-sent events, and where those do
 * not come through, by polling. Ends with `signal`. */
export async function follow(followed: Followed): Promise<void> {
  const { signal, poll, onError } = followed
  const left = () => signal.aborted
  const stream = streamOf(followed)
  let failures = 0
  while (!left()) {
    let wait = 0
    try {
      const next = await poll()
      failures = 0
      if (next === null || left() || (await stream())) return
      wait = next
    } catch (error) {
      if (left()) return
      const asked = onError(error)
      if (asked === null) return
      wait = Math.max(asked, Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++))
    }
    // Jitter keeps the readers of a restarted server from coming back all at once.
    await pause(wait * (1 + Math.random() / 4), signal)
  }
}

/** Applies the events for as long as they come; resolves to whether the state is final. */
function streamOf({ signal, open, apply }: Followed): () => Promise<boolean> {
  let losses = 0
  let lastEventId: string | null = null
  return async () => {
    if (losses >= MAX_LOSSES || streams.size >= MAX_STREAMS) return false
    losses++
    streams.add(signal)
    signal.addEventListener('abort', () => streams.delete(signal), { once: true })
    const silence = new AbortController()
    try {
      const headers: Record<string, string> =
        lastEventId === null ? {} : { 'Last-Event-ID': lastEventId }
      const { body } = await open(headers, AbortSignal.any([signal, silence.signal]))
      if (!body) return false
      for await (const event of readEvents(watched(body, silence))) {
        losses = 0
        lastEventId = event.id ?? lastEventId
        if (await apply(event)) return true
      }
    } catch {
      // The next poll finds out why.
    } finally {
      streams.delete(signal)
      silence.abort()
    }
    return false
  }
}

/** The same body; calls `silence.abort` when nothing comes for too long. */
function watched(body: ReadableStream<Uint8Array<ArrayBuffer>>, silence: AbortController) {
  const start = () => setTimeout(() => silence.abort(), SILENCE_MS)
  let timer = start()
  silence.signal.addEventListener('abort', () => clearTimeout(timer))
  return body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        clearTimeout(timer)
        timer = start()
        controller.enqueue(chunk)
      },
    }),
  )
}
