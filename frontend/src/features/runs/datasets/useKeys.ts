import { useEffect, useEffectEvent, useRef } from 'react'

/** Single keys for what `ref` holds, only while the focus is within it and not in a field. */
export function useKeys(keys: Readonly<Record<string, () => void>>) {
  const ref = useRef<HTMLElement>(null)
  const press = useEffectEvent((event: KeyboardEvent) => {
    const typing =
      event.target instanceof Element && event.target.closest('input, textarea, select')
    const action = keys[event.key]
    if (typing || !action || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    const region = ref.current
    region?.addEventListener('keydown', press)
    return () => {
      region?.removeEventListener('keydown', press)
    }
  }, [])
  return ref
}
