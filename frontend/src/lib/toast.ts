import { useSyncExternalStore } from 'react'

export interface Toast {
  id: number
  text: string
  kind: 'info' | 'success' | 'error'
}

const SHOWN_MS = 6000

let toasts: readonly Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()

function set(next: readonly Toast[]): void {
  toasts = next
  listeners.forEach((listener) => listener())
}

/** Shows a short message at the edge of the page, and has it read out. Errors stay until they are
 * dismissed. `text` is localized already. */
export function toast(text: string, kind: Toast['kind'] = 'info'): void {
  const id = nextId++
  set([...toasts, { id, text, kind }])
  if (kind !== 'error') {
    setTimeout(() => dismissToast(id), SHOWN_MS)
  }
}

export function dismissToast(id: number): void {
  set(toasts.filter((shown) => shown.id !== id))
}

export function dismissToasts(): void {
  set([])
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
}
