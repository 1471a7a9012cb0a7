import { toast as sonner } from 'sonner'

const SHOWN_MS = 6000

/** Shows a short message at the edge of the page, and has it read out. Errors stay until they are
 * dismissed. `text` is localized already. */
export function toast(text: string, kind: 'info' | 'success' | 'error' = 'info'): void {
  sonner[kind](text, { duration: kind === 'error' ? Infinity : SHOWN_MS })
}
