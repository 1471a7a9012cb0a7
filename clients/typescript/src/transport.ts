import { errorOf, SearchQAError } from './errors.js'

/** url: http://127.0.0.1:8765 by default. token: one with the scope that the calls need, or a
 * function that gives it. timeoutMs: of a request, 30,000 by default. tries: how often a request is
 * sent at most, 6 by default. lang: of the sentences in errors. */
export interface Options {
  url?: string
  token?: string | (() => string | Promise<string>)
  fetch?: typeof fetch
  timeoutMs?: number
  tries?: number
  lang?: 'ko' | 'en'
}

export interface Request {
  method?: string
  params?: Record<string, string | number | boolean | undefined>
  body?: unknown
  headers?: Record<string, string>
  /** Sending it twice has the effect of sending it once. */
  repeatable?: boolean
  signal?: AbortSignal
}

type Read<T> = (response: Response) => Promise<T>

const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000

export class Transport {
  readonly url: string

  constructor(private readonly options: Options) {
    this.url = (options.url ?? 'http://127.0.0.1:8765').replace(/\/+$/, '')
  }

  /** The reply of success. */
  json<T>(path: string, request: Request = {}): Promise<T> {
    return this.repeated(path, request, async (response) => {
      const text = await response.text()
      try {
        return (text === '' ? undefined : JSON.parse(text)) as T
      } catch {
        const why = 'answered what is no JSON; check that it is a SearchQA server'
        throw new SearchQAError(`${this.url} ${why}.`, response.status)
      }
    })
  }

  /** The response of success, with its body still to come. */
  send(path: string, request: Request = {}): Promise<Response> {
    return this.repeated(path, request, (response) => Promise.resolve(response))
  }

  /** Requests that may be repeated are, with exponential pauses and full jitter, after failures that
   * may pass. Throws SearchQAError. */
  private async repeated<T>(path: string, request: Request, read: Read<T>): Promise<T> {
    const repeatable = request.repeatable ?? (request.method ?? 'GET') === 'GET'
    const tries = this.options.tries ?? 6
    for (let failures = 1; ; failures++) {
      try {
        return await this.once(path, request, read)
      } catch (error) {
        if (!(error instanceof SearchQAError) || request.signal?.aborted) throw error
        const asked = (error.retryAfter ?? 0) * 1000
        const mayRepeat = repeatable || error.status === 429 || error.status === 503
        if (failures >= tries || !error.transient || !mayRepeat || asked > 2 * MAX_PAUSE_MS)
          throw error
        const ceiling = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
        await pause(asked + Math.random() * ceiling, request.signal)
      }
    }
  }

  private async once<T>(path: string, request: Request, read: Read<T>): Promise<T> {
    const { token, lang, timeoutMs = 30_000, fetch: send = fetch } = this.options
    const headers = new Headers(request.headers)
    const secret = typeof token === 'function' ? await token() : token
    if (secret) headers.set('Authorization', `Bearer ${secret}`)
    if (lang) headers.set('Accept-Language', lang)
    if (request.body !== undefined) headers.set('Content-Type', 'application/json')
    const given = Object.entries(request.params ?? {}).filter(([, value]) => value !== undefined)
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
    // What is read here has to arrive in time; the body of a stream may take longer.
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), timeoutMs)
    const signals = [late.signal, ...(request.signal ? [request.signal] : [])]
    try {
      const response = await send(`${this.url}${path}${given.length ? `?${query}` : ''}`, {
        method: request.method ?? 'GET',
        headers,
        signal: AbortSignal.any(signals),
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      })
      if (!response.ok) throw await errorOf(response)
      return await read(response)
    } catch (error) {
      if (error instanceof SearchQAError || request.signal?.aborted) throw error
      const cause = (error as Error).cause ?? error
      const why = late.signal.aborted ? `no reply within ${timeoutMs} ms` : String(cause)
      throw new SearchQAError(
        `${this.url} cannot be reached (${why}); start the server, or correct url.`,
      )
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Rejects when the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
