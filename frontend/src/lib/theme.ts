import { useSyncExternalStore } from 'react'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** Read by public/theme.js as well, which applies it before the first paint. */
const KEY = 'searchqa.theme'
const listeners = new Set<() => void>()

/** What the reader chose, else that of the system. */
export function currentTheme(): Theme {
  const chosen = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === chosen) ?? 'system'
}

/** `:root[data-theme]` of src/index.css does the rest. */
export function changeTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  document.documentElement.dataset.theme = theme
  listeners.forEach((listener) => listener())
}

/** As `currentTheme`, wherever it is changed. */
export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, currentTheme)
}
