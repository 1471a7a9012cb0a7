import { useSyncExternalStore } from 'react'

/** `palette` finds pages, commands, notes and questions; `keys` lists the keys of the page. */
export type CommandDialog = 'palette' | 'keys'

let opened: CommandDialog | null = null
let opener: Element | null = null
const listeners = new Set<() => void>()

/** Opens one of them in place of the other; null closes it. */
export function showCommandDialog(dialog: CommandDialog | null): void {
  if (opened === null) opener = document.activeElement
  opened = dialog
  listeners.forEach((listener) => listener())
}

/** Where the focus was before the first of them was opened. */
export function focusOpener(): void {
  if (opener instanceof HTMLElement) opener.focus()
}

export function useCommandDialog(): CommandDialog | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => opened,
  )
}
