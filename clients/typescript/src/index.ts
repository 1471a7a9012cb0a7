import type { components, paths } from './schema.js'
import { SearchQAError } from './errors.js'
import { readEvents, type ServerEvent } from './sse.js'
import { type Options, pause, type Request, Transport } from './transport.js'

export { SearchQAError } from './errors.js'
export { Background, type BackgroundOptions, type Stats } from './background.js'
export type { Options, Request } from './transport.js'
export type { ServerEvent } from './sse.js'

type Schemas = components['schemas']
/** A verdict and how it stands. */
export type Verdict = Schemas['EvaluationView']
/** An answer that your application gave, with the notes it was given. */
export type Answer = Omit<Schemas['EvaluationCreate'], 'sources'> & { notes?: (string | Note)[] }
export type Note = Schemas['SourceCreate']
export type Created = Schemas['EvaluationCreated']
export type ChatReply = Schemas['AIChatResponse']
export type ListFilters = NonNullable<paths['/qa-evaluations']['get']['parameters']['query']>

const FINAL = new Set<string>(['succeeded', 'failed', 'skipped'])
const MAX_POLL_MS = 5_000
// A longer timer ends at once.
const MAX_TIMER_MS = 2 ** 31 - 1
const pathOf = (id: string) => `/qa-evaluations/${encodeURIComponent(id)}`

/** A SearchQA server. Its methods throw SearchQAError. */
export class SearchQA {
  readonly #transport: Transport

  constructor(options: Options = {}) {
    this.#transport = new Transport(options)
  }

  get url(): string {
    return this.#transport.url
  }

  /** Has an answer judged. Sent again it is still judged once: the key is made here unless the caller
   * has one, which the same answer must keep. */
  submit(
    answer: Answer,
    idempotencyKey: string = crypto.randomUUID(),
    signal?: AbortSignal,
  ): Promise<Created> {
    const { notes = [], ...rest } = answer
    const sources = notes.map((note) => (typeof note === 'string' ? { content: note } : note))
    return this.#transport.json('/qa-evaluations', {
      method: 'POST',
      body: { ...rest, sources },
      headers: { 'Idempotency-Key': idempotencyKey },
      repeatable: true,
      ...(signal && { signal }),
    })
  }

  /** Submits an answer and waits for its verdict. */
  async judge(answer: Answer, options: { timeoutMs?: number; signal?: AbortSignal } = {}) {
    return this.wait((await this.submit(answer, undefined, options.signal)).id, options)
  }

  /** The verdict as it stands. */
  verdict(id: string): Promise<Verdict> {
    return this.#transport.json(pathOf(id))
  }

  /** The verdict when it is final: `status` says how. Throws after timeoutMs, 60,000 by default. */
  async wait(
    id: string,
    { timeoutMs = 60_000, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<Verdict> {
    // Ends a request that hangs, and the pauses between its tries, too.
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), Math.min(timeoutMs, MAX_TIMER_MS))
    const either = AbortSignal.any([late.signal, ...(signal ? [signal] : [])])
    try {
      for (let looks = 0; ; looks++) {
        const found = await this.#transport.json<Verdict>(pathOf(id), { signal: either })
        if (FINAL.has(found.status)) return found
        // A verdict by rules is there at once.
        await pause(Math.min(MAX_POLL_MS, 100 * 2 ** looks), either)
      }
    } catch (error) {
      if (!late.signal.aborted || signal?.aborted) throw error
      throw new SearchQAError(`No verdict after ${timeoutMs} ms.`)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Changes of a verdict until it is final and the server has told all of it, over lost
   * connections. */
  async *events(id: string, signal?: AbortSignal): AsyncGenerator<ServerEvent> {
    let last: string | null = null
    let final = false
    for (let losses = 0; losses < 6; losses++) {
      try {
        const headers: Record<string, string> = { Accept: 'text/event-stream' }
        if (last !== null) headers['Last-Event-ID'] = last
        const path = `${pathOf(id)}/events`
        const response = await this.#transport.send(path, { headers, ...(signal && { signal }) })
        if (response.status === 204 || !response.body) return
        for await (const event of readEvents(response.body)) {
          losses = 0
          last = event.id ?? last
          yield event
          final ||= FINAL.has((JSON.parse(event.data) as { status?: string }).status ?? '')
        }
        // The verdict itself comes behind the state.
        if (final) return
      } catch (error) {
        if (signal?.aborted || (error instanceof SearchQAError && !error.transient)) throw error
      }
      await pause(500 * 2 ** losses, signal)
    }
    throw new SearchQAError('The events of the verdict broke off six times in a row.')
  }

  /** An answer by SearchQA from the workspace's notes; `quality` names its verdict. */
  chat(question: string, options: Schemas['ChatOptions'] = {}): Promise<ChatReply> {
    const body = { feature: 'search_qa', content: question, options }
    return this.#transport.json('/ai/chat', { method: 'POST', body })
  }

  /** The same piece by piece, as server-sent events. */
  async *stream(question: string, options: Schemas['ChatOptions'] = {}) {
    const body = { feature: 'search_qa', content: question, options }
    const headers = { Accept: 'text/event-stream' }
    const response = await this.#transport.send('/ai/stream', { method: 'POST', body, headers })
    if (response.body) yield* readEvents(response.body)
  }

  /** Verdicts that match, page after page. */
  async *list(filters: ListFilters = {}): AsyncGenerator<Schemas['EvaluationRow']> {
    let after: string | undefined
    do {
      const params = { ...(filters as Request['params']), after }
      const page = await this.#transport.json<Schemas['EvaluationPage']>('/qa-evaluations', {
        params,
      })
      yield* page.items
      after = page.next ?? undefined
    } while (after !== undefined)
  }

  /** Any other call of the HTTP API. */
  call<T>(path: string, request: Request = {}): Promise<T> {
    return this.#transport.json(path, request)
  }
}
