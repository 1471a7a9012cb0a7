import { toast as sonner } from 'sonner'

import { errorMessage } from './errorMessage'

const SHOWN_MS = 6000

const errors = new Set<string | number>()

/** Shows a short message at the edge of the page, and has it read out. Errors stay until they are
 * dismissed or the page is left. `text` is localized already. */
export function toast(text: string, kind: 'info' | 'success' | 'error' = 'info'): void {
  const id = sonner[kind](text, { duration: kind === 'error' ? Infinity : SHOWN_MS })
  if (kind === 'error') errors.add(id)
}

/** Of a page that was left: what went wrong there is no news on the next one. */
export function dismissErrors(): void {
  for (const id of errors) sonner.dismiss(id)
  errors.clear()
}

/** Shows why something could not be done. */
export const toastError = (error: unknown) => toast(errorMessage(error), 'error')
