import { create } from 'zustand'

/** `palette` finds pages, commands, notes and questions; `keys` lists the keys of the page. */
export type CommandDialog = 'palette' | 'keys'

const useStore = create(() => ({
  opened: null as CommandDialog | null,
  opener: null as Element | null,
}))

/** Opens one of them in place of the other; null closes it. */
export const showCommandDialog = (dialog: CommandDialog | null) =>
  useStore.setState(({ opened, opener }) => ({
    opened: dialog,
    opener: opened === null ? document.activeElement : opener,
  }))

/** Where the focus was before the first of them was opened. */
export function focusOpener(): void {
  const { opener } = useStore.getState()
  if (opener instanceof HTMLElement) opener.focus()
}

export const useCommandDialog = () => useStore(({ opened }) => opened)
