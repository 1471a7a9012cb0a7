import { useSyncExternalStore } from 'react'

let signedOut = false
const listeners = new Set<() => void>()

/** Set when the API answers 401; the shell then shows how to sign in. */
export function setSignedOut(value: boolean): void {
  if (signedOut === value) return
  signedOut = value
  listeners.forEach((listener) => listener())
}

export function useSignedOut(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => signedOut,
  )
}
