import { errorMessage } from './errorMessage'

const SHOWN_MS = 6000

// Loaded after the first page. Messages from before their region is there appear with it.
const sonner = async () => (await import('sonner')).toast
const errors = new Set<string | number>()

/** Shows a short message at the edge of the page, and has it read out. Errors stay until they are
 * dismissed or the page is left. `text` is localized already. */
export function toast(text: string, kind: 'info' | 'success' | 'error' = 'info'): void {
  void sonner().then((show) => {
    const id = show[kind](text, { duration: kind === 'error' ? Infinity : SHOWN_MS })
    if (kind === 'error') errors.add(id)
  })
}

/** Of a page that was left: what went wrong there is no news on the next one. */
export function dismissErrors(): void {
  const ids = [...errors]
  errors.clear()
  if (ids.length > 0) void sonner().then(({ dismiss }) => ids.forEach((id) => dismiss(id)))
}

/** Copies a text and shows `copied`; `byHand` where the browser refuses, as it does where the page
 * came by plain HTTP from another computer. Both are localized already. */
export async function copyText(text: string, copied: string, byHand: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(copied, 'success')
  } catch {
    toast(byHand, 'error')
  }
}

/** Shows why something could not be done. */
export const toastError = (error: unknown) => toast(errorMessage(error), 'error')

/** What to do after a request: says that it is done, localized already, or why it is not. */
export const said = (text: string) => ({
  onSuccess: () => toast(text, 'success'),
  onError: toastError,
})
