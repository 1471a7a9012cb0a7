import { follow } from '@/lib/follow'
import { retryAfter } from '@/lib/problem'
import { isFinal } from '@/lib/verdict'

import type { ReaderVerdict, Trouble } from './render'

/** One verdict and its reader. */
interface Following {
  url: string
  signal: AbortSignal
  /** A token that may still be good; `renew` after one was refused. Null: there is no other. */
  token: (renew: boolean) => Promise<string | null>
  onVerdict: (verdict: ReaderVerdict) => void
  onTrouble: (trouble: Trouble) => void
}

const DEFAULT_POLL_MS = 1000

/** Retrying does not help. */
class Refused extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble)
  }
}

/** The server cannot answer now. */
class Unavailable extends Error {
  constructor(readonly waitMs: number) {
    super()
  }
}

/** Follows the verdict until it is final. */
export function followVerdict(following: Following): Promise<void> {
  const { signal, onVerdict, onTrouble } = following
  let etag: string | null = null
  const take = (verdict: ReaderVerdict) => {
    onVerdict(verdict)
    return isFinal(verdict.status)
  }
  return follow({
    signal,
    poll: async () => {
      const response = await request(following, '', etag ? { 'If-None-Match': etag } : {}, signal)
      etag = response.headers.get('ETag')
      if (response.status !== 304 && take((await response.json()) as ReaderVerdict)) return null
      return msToWait(response) ?? DEFAULT_POLL_MS
    },
    open: (headers, until) => request(following, '/events', headers, until),
    apply: ({ data }) => take(JSON.parse(data) as ReaderVerdict),
    onError: (error) => {
      const refused = error instanceof Refused
      onTrouble(refused ? error.trouble : 'unreachable')
      if (refused) return null
      return error instanceof Unavailable ? error.waitMs : 0
    },
  })
}

/** A response of the API; 304 counts as one. Throws Refused and Unavailable. */
async function request(
  { url, token }: Following,
  path: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> {
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

function msToWait(response: Response): number | null {
  const seconds = retryAfter(response)
  return seconds === null ? null : seconds * 1000
}
