import { useEffect } from 'react'
import { create } from 'zustand'

/** Keys that do the same or belong together, as they are written on the keyboard, and what they do,
 * localized already. */
export interface KeyHelp {
  keys: readonly string[]
  text: string
}

/** The keys of all that is on the page. */
export const useShownKeys = create<readonly KeyHelp[]>(() => [])

/** Lists keys in the dialog that `?` opens, for as long as the component is there. What the keys do
 * is up to useKeys and usePageKeys. */
export function useKeyHelp(rows: readonly KeyHelp[]): void {
  // Callers write the rows anew at each rendering.
  const written = JSON.stringify(rows)
  useEffect(() => {
    const mine = JSON.parse(written) as KeyHelp[]
    useShownKeys.setState((shown) => [...shown, ...mine], true)
    return () => useShownKeys.setState((shown) => shown.filter((row) => !mine.includes(row)), true)
  }, [written])
}
