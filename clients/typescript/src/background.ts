import type { Answer, SearchQA } from './index.js'
import { SearchQAError } from './errors.js'
import { pause } from './transport.js'

/** maxWaiting: answers that wait at most, 1,000 by default; the oldest is dropped for the newest.
 * onDrop: called for each that is dropped. */
export interface BackgroundOptions {
  maxWaiting?: number
  onDrop?: (answer: Answer, reason: string) => void
}

export interface Stats {
  sent: number
  dropped: number
  waiting: number
}

const MAX_PAUSE_MS = 30_000

/** Hands answers over one after the other, so that the application neither waits for the server nor
 * fails with it. Close it when the application ends. */
export class Background {
  readonly #waiting: Waiting[] = []
  readonly #closed = new AbortController()
  #sending: Waiting | null = null
  #sent = 0
  #dropped = 0
  #running: Promise<void> | null = null

  constructor(
    private readonly client: SearchQA,
    private readonly options: BackgroundOptions = {},
  ) {}

  /** Returns at once and never throws. */
  submit(answer: Answer): void {
    const handed = { answer, key: crypto.randomUUID() }
    if (this.#closed.signal.aborted) return this.#drop(handed, 'closed')
    this.#waiting.push(handed)
    if (this.#waiting.length > (this.options.maxWaiting ?? 1_000)) {
      this.#drop(this.#waiting.shift(), 'too many wait')
    }
    this.#running ??= this.#run()
  }

  /** Whether all that waited was handed over, or dropped, within timeoutMs. */
  async flush(timeoutMs = 10_000): Promise<boolean> {
    const stop = new AbortController()
    const late = pause(timeoutMs, stop.signal).then(
      () => false,
      () => false,
    )
    const done = (this.#running ?? Promise.resolve()).then(() => true)
    const found = await Promise.race([done, late])
    stop.abort()
    return found
  }

  /** Flushes, and drops what is left. */
  async close(timeoutMs = 10_000): Promise<boolean> {
    const flushed = await this.flush(timeoutMs)
    this.#closed.abort()
    for (const left of this.#waiting.splice(0)) this.#drop(left, 'closed')
    await this.#running
    return flushed
  }

  get stats(): Stats {
    const waiting = this.#waiting.length + (this.#sending ? 1 : 0)
    return { sent: this.#sent, dropped: this.#dropped, waiting }
  }

  async #run(): Promise<void> {
    let failures = 0
    while ((this.#sending ??= this.#waiting.shift() ?? null)) {
      const { answer, key } = this.#sending
      try {
        await this.client.submit(answer, key, this.#closed.signal)
        this.#sent++
        failures = 0
      } catch (error) {
        const waits = error instanceof SearchQAError && error.transient
        if (waits && (await this.#waited(500 * 2 ** failures++))) continue
        const reason = error instanceof Error ? error.message : String(error)
        this.#drop(this.#sending, this.#closed.signal.aborted ? 'closed' : reason)
      }
      this.#sending = null
    }
    // In this turn: what is submitted in the next one has to start it again.
    this.#running = null
  }

  /** Whether it was not closed meanwhile. */
  #waited(ms: number): Promise<boolean> {
    return pause(Math.min(MAX_PAUSE_MS, ms), this.#closed.signal).then(
      () => true,
      () => false,
    )
  }

  #drop(dropped: Waiting | undefined | null, reason: string): void {
    if (!dropped) return
    this.#dropped++
    try {
      this.options.onDrop?.(dropped.answer, reason)
    } catch {
      // The host's own handler must not end the queue.
    }
  }
}

interface Waiting {
  answer: Answer
  key: string
}
