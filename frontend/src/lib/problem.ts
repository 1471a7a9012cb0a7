import type { components } from '@/api/schema'

export type Problem = components['schemas']['Problem']

/** What the API refused, as its problem document (RFC 9457) tells it in the reader's language. */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    readonly problem: Problem,
    /** Seconds until it is worth asking again, when the API says so. */
    readonly retryAfter: number | null = null,
  ) {
    super(problem.detail)
  }

  get status(): number {
    return this.problem.status
  }

  /** The stable part of the problem's type: `not-found` of `urn:searchqa:problem:not-found`. */
  get code(): string {
    return this.problem.type.split(':').at(-1) ?? ''
  }
}

/** The error that a response stands for; `body` is what it held, parsed if it was JSON. A proxy in
 * between may answer with something else than a problem document. */
export function apiError(response: Response, body: unknown): ApiError {
  const problem = isProblem(body)
    ? body
    : { type: 'about:blank', title: response.statusText, status: response.status, detail: '' }
  return new ApiError(problem, retryAfter(response))
}

/** Seconds that the server asks to wait; null where it does not say. */
export function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : null
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' &&
    body !== null &&
    'detail' in body &&
    typeof body.detail === 'string' &&
    'status' in body &&
    typeof body.status === 'number' &&
    'type' in body &&
    typeof body.type === 'string'
  )
}
