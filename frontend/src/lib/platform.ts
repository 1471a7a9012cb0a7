/** Whether commands are given with Cmd instead of Ctrl. */
const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** What opens the palette, as it is written on the keyboard. */
export const PALETTE_KEYS = IS_APPLE ? ['⌘', 'K'] : ['Ctrl', 'K']

/** Also where the keyboard is switched to Korean, whose key has the same place. On Apple's, Ctrl-K
 * deletes to the end of a line. */
export function isPaletteKey(event: KeyboardEvent): boolean {
  const command = IS_APPLE ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
  const letter = event.code === 'KeyK' || event.key.toLowerCase() === 'k'
  return command && letter && !event.shiftKey && !event.altKey && !event.isComposing
}
