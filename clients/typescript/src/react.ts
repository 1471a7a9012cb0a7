import { useEffect, useState } from 'react'

import type { SearchQA, Verdict } from './index.js'

/** The verdict of an answer once it is there, and what kept it from being read. id: null for none.
 * `<searchqa-verdict>` shows one; this is for components of your own. */
export function useVerdict(client: SearchQA, id: string | null) {
  const [state, setState] = useState<{ verdict: Verdict | null; error: Error | null }>(NOTHING)
  useEffect(() => {
    setState(NOTHING)
    if (id === null) return
    const left = new AbortController()
    client.wait(id, { timeoutMs: 600_000, signal: left.signal }).then(
      (verdict) => left.signal.aborted || setState({ verdict, error: null }),
      (error: Error) => left.signal.aborted || setState({ verdict: null, error }),
    )
    return () => left.abort()
  }, [client, id])
  return state
}

const NOTHING = { verdict: null, error: null }
