import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { EmptyState, ErrorState } from '@/components/page'
import { Button, Skeleton, Spinner } from '@/components/ui'

import { useNotes, type NoteFilters } from '../api/notes'

import { NoteFacts } from './NoteFacts'

interface Props {
  filters: NoteFilters
  notebookNames: ReadonlyMap<string, string>
}

export function NoteList({ filters, notebookNames }: Props) {
  const { t } = useTranslation(['notes', 'common'])
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useNotes(filters)
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />
  if (!data) {
    return (
      <div className="grid gap-2">
        <Spinner />
        <Skeleton className="h-14" />
        <Skeleton className="h-14" />
      </div>
    )
  }
  const notes = data.pages.flatMap(({ items }) => items)
  if (notes.length === 0) {
    const filtered = filters.notebookId !== '' || filters.title !== ''
    return filtered ? (
      <EmptyState title={t('nothingFound')} text={t('nothingFoundText')} />
    ) : (
      <EmptyState title={t('empty')} text={t('emptyText')} />
    )
  }
  return (
    <div className="grid gap-4">
      <ul aria-label={t('title')} className="divide-border border-border divide-y border-y">
        {notes.map((note) => (
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
      {error && <ErrorState error={error} onRetry={fetchNextPage} />}
      {hasNextPage && !error && (
        <Button
          variant="outline"
          className="justify-self-center"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? t('common:loading') : t('common:more')}
        </Button>
      )}
    </div>
  )
}
