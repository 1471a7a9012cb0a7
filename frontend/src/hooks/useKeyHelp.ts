import { useEffect, useSyncExternalStore } from 'react'

/** Keys that do the same or belong together, as they are written on the keyboard, and what they do,
 * localized already. */
export interface KeyHelp {
  keys: readonly string[]
  text: string
}

let shown: readonly KeyHelp[] = []
const listeners = new Set<() => void>()

function set(rows: readonly KeyHelp[]): void {
  shown = rows
  listeners.forEach((listener) => listener())
}

/** Lists keys in the dialog that `?` opens, for as long as the component is there. What the keys do
 * is up to useKeys and usePageKeys. */
export function useKeyHelp(rows: readonly KeyHelp[]): void {
  // Callers write the rows anew at each rendering.
  const written = JSON.stringify(rows)
  useEffect(() => {
    const mine = JSON.parse(written) as KeyHelp[]
    set([...shown, ...mine])
    return () => set(shown.filter((row) => !mine.includes(row)))
  }, [written])
}

/** Those of all that is on the page. */
export function useShownKeys(): readonly KeyHelp[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
  )
}
