import { useCallback } from 'react'
import { type NavigateOptions, useSearchParams } from 'react-router'

/** Filters that live in the address, so that a link shows the same and Back undoes one. */
export function useUrlFilters() {
  const [params, setParams] = useSearchParams()
  /** Sets those that have a text, and takes away those that have none. */
  const setFilters = useCallback(
    (changes: Record<string, string | undefined>, options?: NavigateOptions) =>
      setParams((before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes)) {
          if (value) after.set(name, value)
          else after.delete(name)
        }
        return after
      }, options),
    [setParams],
  )
  return { params, setFilters }
}
