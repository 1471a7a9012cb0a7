import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { EmptyState, ErrorState, PagedList, PageHeader } from '@/components/page'
import { Button, Input } from '@/components/ui'
import { useUrlFilters } from '@/hooks/useUrlFilters'
import { useNotebooks } from '@/hooks/workspace'
import type { Schema } from '@/lib/api'
import { cn } from '@/lib/cn'

import { type NoteFilters, useNotes } from './api/notes'
import { ImportPanel } from './components/ImportPanel'
import { NoteFacts } from './components/NoteFacts'

const TYPING_MS = 250

/** The filters in the address of the page, so that they are kept, shared and gone back to. */
function useNoteFilters() {
  const { params, setFilters } = useUrlFilters()
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(typing.current), [])
  const filters: NoteFilters = {
    notebookId: params.get('notebook') ?? '',
    title: params.get('title') ?? '',
  }
  return {
    filters,
    setNotebook: (notebook: string) => setFilters({ notebook }),
    /** Waits until the reader pauses. */
    typeTitle: (title: string) => {
      clearTimeout(typing.current)
      const set = () => setFilters({ title: title.trim() }, { replace: true })
      typing.current = setTimeout(set, TYPING_MS)
    },
  }
}

export function NotesPage() {
  const { t } = useTranslation('notes')
  const { data: notebooks = [], error, refetch } = useNotebooks()
  const { filters, setNotebook, typeTitle } = useNoteFilters()
  const names = new Map(notebooks.map(({ id, name }) => [id, name]))
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className="grid gap-6">
        <ImportPanel notebooks={notebooks} />
        {error && <ErrorState error={error} onRetry={refetch} />}
        <div className="grid items-start gap-4 lg:grid-cols-[16rem_minmax(0,1fr)] lg:gap-8">
          <NotebookList notebooks={notebooks} chosen={filters.notebookId} onChoose={setNotebook} />
          <div className="grid gap-4">
            <Input
              type="search"
              label={t('filter')}
              maxLength={200}
              defaultValue={filters.title}
              onChange={(event) => typeTitle(event.target.value)}
            />
            <NoteList filters={filters} notebookNames={names} />
          </div>
        </div>
      </div>
    </>
  )
}

interface Props {
  notebooks: readonly Schema<'NotebookRead'>[]
  chosen: string
  onChoose: (id: string) => void
}

function NotebookList({ notebooks, chosen, onChoose }: Props) {
  const { t } = useTranslation('notes')
  const total = notebooks.reduce((sum, { notes }) => sum + notes, 0)
  const rows = [{ id: '', name: t('allNotebooks'), notes: total }, ...notebooks]
  return (
    <ul
      aria-label={t('notebooks')}
      className="flex gap-1 overflow-x-auto pb-1 lg:sticky lg:top-4 lg:max-h-[80dvh] lg:flex-col lg:overflow-y-auto"
    >
      {rows.map(({ id, name, notes }) => (
        <li key={id} className="shrink-0">
          <Button
            variant="ghost"
            aria-pressed={id === chosen}
            className={cn(
              'max-w-64 justify-between font-normal lg:w-full lg:max-w-none',
              id === chosen && 'bg-accent text-accent-foreground font-medium',
            )}
            onClick={() => onChoose(id)}
          >
            <span className="truncate">{name}</span>
            <span className="tabular-nums">{notes}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}

interface NoteListProps {
  filters: NoteFilters
  notebookNames: ReadonlyMap<string, string>
}

function NoteList({ filters, notebookNames }: NoteListProps) {
  const { t } = useTranslation('notes')
  const notes = useNotes(filters)
  const filtered = filters.notebookId !== '' || filters.title !== ''
  return (
    <PagedList
      list={notes}
      empty={
        <EmptyState
          title={t(filtered ? 'nothingFound' : 'empty')}
          text={t(filtered ? 'nothingFoundText' : 'emptyText')}
        />
      }
    >
      {(items) => (
        <ul aria-label={t('title')} className="divide-border border-border divide-y border-y">
          {items.map((note) => (
            <li key={note.id} className="grid gap-1 py-3">
              <Link
                to={`/notes/${note.id}`}
                className="text-primary justify-self-start font-medium hover:underline"
              >
                {note.title || t('untitled')}
              </Link>
              <NoteFacts note={note} notebook={notebookNames.get(note.notebook_id)} />
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  )
}
