import { create } from 'zustand'

const useSession = create(() => ({ signedOut: false, dataAge: null as number | null }))

/** Set when the API answers 401; the shell then shows how to sign in. */
export const setSignedOut = (signedOut: boolean) => useSession.setState({ signedOut })
export const useSignedOut = () => useSession(({ signedOut }) => signedOut)

/** What the server reads from a replica where it has one. */
const LAGGING = /^\/(analytics\/|qa-evaluations$)/

/** Keeps how many seconds old the data of the latest list or figures may be; null for the
 * primary's. */
export function noteDataAge(url: string, response: Response): void {
  const given = response.headers.get('X-Data-Age')
  if (given === null && !LAGGING.test(new URL(url).pathname)) return
  useSession.setState({ dataAge: given === null ? null : Number(given) })
}

export const useDataAge = () => useSession(({ dataAge }) => dataAge)
