import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { invalidate } from '@/hooks/useChange'
import type { Schema } from '@/lib/api'

import { FILE_ENDINGS, importFile, MAX_FILE_BYTES } from './api/importFile'

export type ImportState =
  | { step: 'waiting' }
  | { step: 'sending'; sent: number }
  | { step: 'stored'; result: Schema<'ImportRead'> }
  | { step: 'refused'; reason: 'tooLarge' | 'ending' | { error: unknown } }

export interface Import {
  id: number
  file: File
  notebook: string
  state: ImportState
}

/** What is known of a file before it is sent. */
function firstState(file: File): ImportState {
  const name = file.name.toLowerCase()
  if (!FILE_ENDINGS.some((ending) => name.endsWith(ending))) {
    return { step: 'refused', reason: 'ending' }
  }
  if (file.size > MAX_FILE_BYTES) return { step: 'refused', reason: 'tooLarge' }
  return { step: 'waiting' }
}

/** Imports files one after the other, so that the server analyses one at a time. Leaving the page
 * ends it. */
export function useImports() {
  const [imports, setImports] = useState<readonly Import[]>([])
  const queries = useQueryClient()
  const page = useRef<AbortController>(null)
  const nextId = useRef(1)
  const queue = useRef(Promise.resolve())

  useEffect(() => {
    const controller = new AbortController()
    page.current = controller
    return () => controller.abort()
  }, [])

  async function send({ id, file, notebook }: Import) {
    const signal = page.current?.signal
    if (!signal || signal.aborted) return
    const tell = (state: ImportState) =>
      setImports((all) => all.map((each) => (each.id === id ? { ...each, state } : each)))
    const onProgress = (sent: number) => tell({ step: 'sending', sent })
    onProgress(0)
    try {
      tell({ step: 'stored', result: await importFile(file, { notebook, onProgress, signal }) })
    } catch (error) {
      tell({ step: 'refused', reason: { error } })
    }
    await invalidate(queries, ['/notebooks', '/notes*'])
  }

  function add(files: readonly File[], notebook: string) {
    const added = files.map((file) => {
      const id = nextId.current++
      return { id, file, notebook, state: firstState(file) }
    })
    setImports((all) => [...all, ...added])
    for (const each of added) {
      if (each.state.step === 'waiting') queue.current = queue.current.then(() => send(each))
    }
  }

  return {
    imports,
    add,
    clear: () =>
      setImports((all) => all.filter(({ state }) => ['waiting', 'sending'].includes(state.step))),
  }
}
