import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'

import type { NoteFilters } from './api/notes'

const TYPING_MS = 250

/** The filters in the address of the page, so that they are kept, shared and gone back to. */
export function useNoteFilters() {
  const [params, setParams] = useSearchParams()
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(typing.current), [])

  const filters: NoteFilters = {
    notebookId: params.get('notebook') ?? '',
    title: params.get('title') ?? '',
  }
  function set(name: 'notebook' | 'title', value: string) {
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (value) after.set(name, value)
        else after.delete(name)
        return after
      },
      { replace: name === 'title' },
    )
  }
  return {
    filters,
    setNotebook: (id: string) => set('notebook', id),
    /** Waits until the reader pauses. */
    typeTitle: (title: string) => {
      clearTimeout(typing.current)
      typing.current = setTimeout(() => set('title', title.trim()), TYPING_MS)
    },
  }
}
