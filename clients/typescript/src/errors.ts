/** A request that did not succeed, in the server's words where it sent any. */
export class SearchQAError extends Error {
  override name = 'SearchQAError'

  /** status: of HTTP; null where no response arrived. type: the problem's, such as
   * `urn:searchqa:problem:unauthenticated`. retryAfter: seconds that the server asks to wait. */
  constructor(
    message: string,
    readonly status: number | null = null,
    readonly type: string | null = null,
    readonly retryAfter: number | null = null,
  ) {
    super(message)
  }

  /** Whether sending the same request later may succeed. */
  get transient(): boolean {
    return this.status === null || [408, 425, 429, 500, 502, 503, 504].includes(this.status)
  }
}

export async function errorOf(response: Response): Promise<SearchQAError> {
  const problem = (await response.json().catch(() => ({}))) as Record<string, unknown>
  const asked = Number(response.headers.get('retry-after') ?? NaN)
  return new SearchQAError(
    typeof problem.detail === 'string' ? problem.detail : `HTTP ${response.status}`,
    response.status,
    typeof problem.type === 'string' ? problem.type : null,
    Number.isFinite(asked) ? asked : null,
  )
}
