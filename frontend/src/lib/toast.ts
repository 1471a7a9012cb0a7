import { toast as sonner } from 'sonner'

import { errorMessage } from './errorMessage'

const SHOWN_MS = 6000

/** Shows a short message at the edge of the page, and has it read out. Errors stay until they are
 * dismissed. `text` is localized already. */
export function toast(text: string, kind: 'info' | 'success' | 'error' = 'info'): void {
  sonner[kind](text, { duration: kind === 'error' ? Infinity : SHOWN_MS })
}

/** Shows why something could not be done. */
export const toastError = (error: unknown) => toast(errorMessage(error), 'error')
