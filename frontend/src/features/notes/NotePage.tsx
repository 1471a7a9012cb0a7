import { ArrowLeft } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'

import { ErrorState, PageHeader } from '@/components/page'
import { Button, Card, Spinner } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'

import { useNote } from './api/notes'
import { AskNote } from './components/AskNote'
import { DeleteNote } from './components/DeleteNote'
import { NoteFacts } from './components/NoteFacts'
import { NoteText } from './components/NoteText'

export function NotePage() {
  const { t } = useTranslation('notes')
  const { id = '' } = useParams()
  const { data: note, error, refetch } = useNote(id)
  const { data: notebooks } = useNotebooks()
  const notebook = notebooks?.find((each) => each.id === note?.notebook_id)
  return (
    <>
      <PageHeader title={note ? note.title || t('untitled') : t('detail.title')}>
        <Button asChild variant="outline" size="sm">
          <Link to={note ? `/notes?notebook=${note.notebook_id}` : '/notes'}>
            <ArrowLeft aria-hidden />
            {t('detail.back')}
          </Link>
        </Button>
        {note && <DeleteNote note={note} />}
      </PageHeader>
      {!note && (error ? <ErrorState error={error} onRetry={refetch} /> : <Spinner />)}
      {note && (
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <Card className="grid gap-4" aria-label={t('detail.text')}>
            <NoteFacts note={note} notebook={notebook?.name} />
            <NoteText content={note.content} />
          </Card>
          <AskNote key={note.id} noteId={note.id} title={note.title} content={note.content} />
        </div>
      )}
    </>
  )
}
