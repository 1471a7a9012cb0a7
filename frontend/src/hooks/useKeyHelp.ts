import { useEffect, useSyncExternalStore } from 'react'

export interface KeyHelp {
  /** As they are written on the keyboard; any one of them does it. */
  keys: readonly string[]
  /** What they do, in the reader's language. */
  text: string
}

export interface KeyHelpSection {
  title: string
  entries: readonly KeyHelp[]
}

let sections: readonly KeyHelpSection[] = []
const listeners = new Set<() => void>()

function set(next: readonly KeyHelpSection[]): void {
  sections = next
  listeners.forEach((listener) => {
    listener()
  })
}

/** Lists keys in the help that `?` opens, while the component that has them is shown. `section`
 * stays the same object until its texts change. */
export function useKeyHelp(section: KeyHelpSection): void {
  useEffect(() => {
    set([...sections, section])
    return () => {
      set(sections.filter((each) => each !== section))
    }
  }, [section])
}

/** The keys of what is shown now, in the order in which it appeared. */
export function useShownKeys(): readonly KeyHelpSection[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => sections,
  )
}
