import { create } from 'zustand'

export const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

/** Read by public/theme.js as well, which applies it before the first paint. */
const KEY = 'searchqa.theme'

/** What the reader chose, else that of the system. */
export function currentTheme(): Theme {
  const chosen = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === chosen) ?? 'system'
}

// Says that the theme was changed; where it is kept is localStorage.
const useChanges = create(() => ({}))

/** As `currentTheme`, wherever it is changed. */
export function useTheme(): Theme {
  useChanges()
  return currentTheme()
}

/** `:root[data-theme]` of src/index.css does the rest. */
export function changeTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  document.documentElement.dataset.theme = theme
  useChanges.setState({}, true)
}
