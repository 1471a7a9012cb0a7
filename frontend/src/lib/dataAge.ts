import { useSyncExternalStore } from 'react'

let age: number | null = null
const listeners = new Set<() => void>()

/** What the server reads from a replica where it has one. */
const LAGGING = /^\/(analytics\/|qa-evaluations$)/

/** Keeps how many seconds old the data of the latest list or figures may be; null for the
 * primary's. */
export function noteDataAge(url: string, response: Response): void {
  const given = response.headers.get('X-Data-Age')
  if (given === null && !LAGGING.test(new URL(url).pathname)) return
  const found = given === null ? null : Number(given)
  if (found === age) return
  age = found
  listeners.forEach((listener) => listener())
}

export function useDataAge(): number | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => age,
  )
}
