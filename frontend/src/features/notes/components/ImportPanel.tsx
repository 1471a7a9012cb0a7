import { useQueryClient } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Badge, Button, Card, Input, ProgressBar, Spinner } from '@/components/ui'
import { invalidate } from '@/hooks/useChange'
import type { Schema } from '@/lib/api'
import { cn } from '@/lib/cn'
import { errorMessage } from '@/lib/errorMessage'

import { FILE_ENDINGS, importFile, MAX_FILE_BYTES } from '../api/importFile'

type ImportState =
  | { step: 'waiting' }
  | { step: 'sending'; sent: number }
  | { step: 'stored'; result: Schema<'ImportRead'> }
  | { step: 'refused'; reason: 'tooLarge' | 'ending' | { error: unknown } }

interface Import {
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
function useImports() {
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

/** Files of notes are dropped or chosen here, and each tells what became of it. */
export function ImportPanel({ notebooks }: { notebooks: readonly Schema<'NotebookRead'>[] }) {
  const { t } = useTranslation('notes')
  const [notebook, setNotebook] = useState('')
  const { imports, add, clear } = useImports()
  const listId = useId()
  const into = notebook.trim() || t('import.defaultNotebook')
  const inStep = (step: string) => imports.filter(({ state }) => state.step === step).length
  const done = inStep('stored')
  const refused = inStep('refused')
  return (
    <Card title={t('import.title')}>
      <div className="grid items-start gap-4 md:grid-cols-[1fr_18rem]">
        <Dropzone onFiles={(files) => add(files, into)} />
        <Input
          label={t('import.notebook')}
          hint={t('import.notebookHint')}
          list={listId}
          maxLength={200}
          placeholder={t('import.defaultNotebook')}
          value={notebook}
          onChange={(event) => setNotebook(event.target.value)}
        />
        <datalist id={listId}>
          {notebooks.map(({ id, name }) => (
            <option key={id} value={name} />
          ))}
        </datalist>
      </div>
      {imports.length > 0 && (
        <>
          <div className="mt-4 flex items-center justify-between gap-2">
            <p role="status" className="text-sm font-medium">
              {t('import.progress', { done, count: imports.length })}
              {refused > 0 && ` ${t('import.refusedCount', { count: refused })}`}
            </p>
            {done + refused > 0 && (
              <Button variant="ghost" size="sm" onClick={clear}>
                {t('import.clear')}
              </Button>
            )}
          </div>
          <ul
            aria-label={t('import.files')}
            className="divide-border mt-2 max-h-96 divide-y overflow-y-auto"
          >
            {imports.map((each) => (
              <ImportRow key={each.id} file={each.file} state={each.state} />
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

interface Props {
  file: File
  state: ImportState
}

/** One file, and how far it is or what became of it. */
function ImportRow({ file, state }: Props) {
  const { t } = useTranslation('notes')
  return (
    <li className="grid gap-1 py-2 text-sm">
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{file.name}</span>
        {state.step === 'waiting' && <Badge>{t('import.waiting')}</Badge>}
        {state.step === 'stored' && <Badge variant="success">{t('import.stored')}</Badge>}
        {state.step === 'refused' && <Badge variant="danger">{t('import.refused')}</Badge>}
      </span>
      {state.step === 'sending' && state.sent < 1 && (
        <ProgressBar label={t('import.sending')} value={state.sent} />
      )}
      {state.step === 'sending' && state.sent >= 1 && <Spinner label={t('import.storing')} />}
      {state.step === 'stored' && <span>{t('import.result', { ...state.result })}</span>}
      {state.step === 'refused' && (
        <span className="text-danger">
          {typeof state.reason === 'string'
            ? t(`import.${state.reason}`)
            : errorMessage(state.reason.error)}
        </span>
      )}
    </li>
  )
}

/** A button that opens the browser's choice of files, on which files may be dropped as well. */
function Dropzone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation('notes')
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  return (
    <div>
      <button
        type="button"
        aria-describedby={id}
        className={cn(
          'border-input hover:bg-muted grid min-h-32 w-full justify-items-center gap-1 rounded-lg border-2 border-dashed p-4 text-center text-sm',
          over && 'border-primary bg-accent',
        )}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          onFiles([...event.dataTransfer.files])
        }}
      >
        <Upload aria-hidden className="text-muted-foreground size-6" />
        <span className="font-medium">{t('import.drop')}</span>
        <span id={id} className="text-muted-foreground">
          {t('import.kinds')}
        </span>
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-testid="files"
        aria-label={t('import.drop')}
        accept={FILE_ENDINGS.join(',')}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // Choosing the same file again must be noticed.
          event.target.value = ''
        }}
      />
    </div>
  )
}
