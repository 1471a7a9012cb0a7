import { useEffect, useEffectEvent, useRef } from 'react'

type Actions = Readonly<Record<string, () => void>>

const FIELDS = 'textarea, select, input:not([type=checkbox], [type=radio]), [contenteditable]'

/** What a key stands for, also where the keyboard is switched to Korean: `j` for the key that has
 * it. Nothing with a modifier, while somebody types in a field, and within a dialog. */
function keyOf(event: KeyboardEvent): string | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined
  if (event.target instanceof Element && event.target.closest(FIELDS)) return undefined
  if (event.key === '?') return '?'
  if (event.shiftKey) return undefined
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1]
  const latin = /^[!-~]$/.test(event.key) || event.key.length > 1
  if (!latin || event.key === 'Process') return letter?.toLowerCase()
  // Caps Lock makes capitals.
  return event.key.length === 1 ? event.key.toLowerCase() : event.key
}

function act(actions: Actions, event: KeyboardEvent): void {
  const action = actions[keyOf(event) ?? '']
  if (!action) return
  event.preventDefault()
  action()
}

/** Single keys for what `ref` holds, only while the focus is within it. */
export function useKeys(actions: Actions) {
  const ref = useRef<HTMLElement>(null)
  const press = useEffectEvent((event: KeyboardEvent) => act(actions, event))
  useEffect(() => {
    const region = ref.current
    region?.addEventListener('keydown', press)
    return () => region?.removeEventListener('keydown', press)
  }, [])
  return ref
}

/** Single keys for a whole page, wherever the focus is but in a dialog. Held down they act once. */
export function usePageKeys(actions: Actions) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!event.repeat && !document.querySelector('[role=dialog]')) act(actions, event)
  })
  useEffect(() => {
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
