import { pause } from '@/lib/pause'
import { retryAfter } from '@/lib/problem'
import { readEvents } from '@/lib/readEvents'
import { isFinal } from '@/lib/verdict'

import type { ReaderVerdict, Trouble } from './render'

/** Of one verdict. Everything ends with `signal`. */
export interface Following {
  url: string
  signal: AbortSignal
  /** A token that may still be good; `renew` after one was refused. Null: there is no other. */
  token: (renew: boolean) => Promise<string | null>
  onVerdict: (verdict: ReaderVerdict) => void
  onTrouble: (trouble: Trouble) => void
}

// Browsers open six connections to a server, for all tabs together; whoever gets none here polls.
const MAX_STREAMS = 1
// So often the stream may break without an event before polling takes its place for good.
const MAX_LOSSES = 3
// The server sends a comment every 15 seconds. A proxy that holds all back is as good as none.
const SILENCE_MS = 40_000
const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 30_000
const streams = new Set<AbortSignal>()

/** Asking again does not help. */
class Refused extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble)
  }
}

/** The server cannot be asked now. */
class Unavailable extends Error {
  constructor(readonly waitMs: number) {
    super()
  }
}

/** Reads the verdict, then follows it until it is final: by server-sent events, and where those do
 * not come through, by polling. */
export async function follow(following: Following): Promise<void> {
  const { signal, onTrouble } = following
  const reader = new Reader(following)
  const left = () => signal.aborted
  let failures = 0
  while (!left()) {
    let wait = 0
    try {
      const next = await reader.poll()
      failures = 0
      if (next === null) return
      wait = next
      if (await reader.stream()) return
    } catch (error) {
      if (left()) return
      if (error instanceof Refused) {
        onTrouble(error.trouble)
        return
      }
      onTrouble('unreachable')
      const asked = error instanceof Unavailable ? error.waitMs : 0
      wait = Math.max(asked, Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++))
    }
    // Jitter keeps the readers of a restarted server from coming back all at once.
    await pause(wait * (1 + Math.random() / 4), signal)
  }
}

class Reader {
  private lastEventId: string | null = null
  private etag: string | null = null
  private losses = 0

  constructor(private readonly following: Following) {}

  /** The present state. Milliseconds until it is worth looking again, null: never. */
  async poll(): Promise<number | null> {
    const headers = this.etag === null ? {} : { 'If-None-Match': this.etag }
    const response = await this.ask('', headers, this.following.signal)
    this.etag = response.headers.get('ETag')
    if (response.status !== 304) {
      const verdict = (await response.json()) as ReaderVerdict
      this.following.onVerdict(verdict)
      if (isFinal(verdict.status)) return null
    }
    return msToWait(response) ?? FIRST_WAIT_MS
  }

  /** Follows the events for as long as they come. Whether the verdict is final. */
  async stream(): Promise<boolean> {
    const { signal } = this.following
    if (this.losses >= MAX_LOSSES || streams.size >= MAX_STREAMS) return false
    // An event makes good for it.
    this.losses++
    streams.add(signal)
    const silence = new AbortController()
    try {
      return await this.read(AbortSignal.any([signal, silence.signal]), silence)
    } catch (error) {
      if (error instanceof Refused) throw error
      return false
    } finally {
      streams.delete(signal)
      silence.abort()
    }
  }

  private async read(signal: AbortSignal, silence: AbortController): Promise<boolean> {
    const headers = this.lastEventId === null ? {} : { 'Last-Event-ID': this.lastEventId }
    const response = await this.ask('/events', headers, signal)
    if (!response.body || response.status === 204) return false
    for await (const { data, id } of readEvents(watched(response.body, silence))) {
      this.losses = 0
      this.lastEventId = id ?? this.lastEventId
      const verdict = JSON.parse(data) as ReaderVerdict
      this.following.onVerdict(verdict)
      if (isFinal(verdict.status)) return true
    }
    return false
  }

  /** A response of the API; 304 counts as one. Throws Refused and Unavailable. */
  private async ask(path: string, headers: Record<string, string>, signal: AbortSignal) {
    const { url, token } = this.following
    for (const renew of [false, true]) {
      const bearer = await token(renew)
      if (bearer === null) break
      const response = await fetch(url + path, {
        headers: { ...headers, Authorization: `Bearer ${bearer}` },
        signal,
        cache: 'no-store',
        credentials: 'omit',
      })
      if (response.ok || response.status === 304) return response
      if (response.status === 401) continue
      if (response.status === 404) throw new Refused('notFound')
      const again = response.status >= 500 || response.status === 408 || response.status === 429
      if (!again) throw new Refused('refused')
      throw new Unavailable(msToWait(response) ?? 0)
    }
    throw new Refused('expired')
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

function msToWait(response: Response): number | null {
  const seconds = retryAfter(response)
  return seconds === null ? null : seconds * 1000
}
