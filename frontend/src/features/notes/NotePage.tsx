import { ArrowLeft, Trash2 } from 'lucide-react'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import Markdown, { type Components } from 'react-markdown'
import { useNavigate, useParams } from 'react-router'
import remarkGfm from 'remark-gfm'

import { ConfirmDialog, ErrorState, PageHeader } from '@/components/page'
import { Button, ButtonLink, Card, Spinner, Table, Td, Th } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'
import type { Schema } from '@/lib/api'
import { count } from '@/lib/figures'

import { useDeleteNote, useNote } from './api/notes'
import { NoteConflicts } from './components/NoteConflicts'
import { NoteFacts } from './components/NoteFacts'
import { NoteQuality } from './components/NoteQuality'

export function NotePage() {
  const { t } = useTranslation('notes')
  const { id = '' } = useParams()
  const { data: note, error, refetch } = useNote(id)
  const { data: notebooks } = useNotebooks()
  const notebook = notebooks?.find((each) => each.id === note?.notebook_id)
  return (
    <>
      <PageHeader title={note ? note.title || t('untitled') : t('detail.title')}>
        <ButtonLink
          to={note ? `/notes?notebook=${note.notebook_id}` : '/notes'}
          size="sm"
          icon={ArrowLeft}
        >
          {t('detail.back')}
        </ButtonLink>
        {note && <DeleteNote note={note} />}
      </PageHeader>
      {!note && (error ? <ErrorState error={error} onRetry={refetch} /> : <Spinner />)}
      {note && (
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <Card className="grid gap-4" aria-label={t('detail.text')}>
            <NoteFacts note={note} notebook={notebook?.name} />
            <NoteText content={note.content} />
          </Card>
          <div className="grid gap-6">
            <NoteConflicts id={note.id} />
            <NoteQuality id={note.id} />
            <AskNote key={note.id} noteId={note.id} title={note.title} content={note.content} />
          </div>
        </div>
      )}
    </>
  )
}

const NoteAIPanel = lazy(async () => ({
  default: (await import('@/components/NoteAIPanel')).NoteAIPanel,
}))

/** The panel that asks one note; its code is loaded when a note is opened. */
function AskNote(props: ComponentProps<typeof NoteAIPanel>) {
  return (
    <Suspense fallback={<Spinner />}>
      <NoteAIPanel {...props} />
    </Suspense>
  )
}

/** Asks before it deletes the note, and leads back to the notes of its notebook. */
function DeleteNote({ note }: { note: Schema<'NoteSummary'> }) {
  const { t } = useTranslation(['notes', 'common'])
  const navigate = useNavigate()
  const remove = useDeleteNote()
  const title = note.title || t('untitled')
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" icon={Trash2}>
          {t('common:delete')}
        </Button>
      }
      title={t('delete.title', { title })}
      description={t('delete.text')}
      action={t('common:delete')}
      request={remove}
      input={note.id}
      done={t('delete.done', { title })}
      onDone={() => void navigate(`/notes?notebook=${note.notebook_id}`)}
    />
  )
}

// Longer Markdown makes the page wait.
const SHOWN_AT_FIRST = 50_000

/** The text of a note: Markdown without HTML and pictures. */
function NoteText({ content }: { content: string }) {
  const { t } = useTranslation('notes')
  const [whole, setWhole] = useState(false)
  const cut = !whole && content.length > SHOWN_AT_FIRST
  if (content.trim() === '') return <p className="text-muted-foreground">{t('detail.blank')}</p>
  return (
    <div className="answer [&_p]:whitespace-pre-line">
      <Markdown skipHtml remarkPlugins={[remarkGfm]} components={COMPONENTS}>
        {cut ? content.slice(0, SHOWN_AT_FIRST) : content}
      </Markdown>
      {cut && (
        <Button className="mt-4 justify-self-start" onClick={() => setWhole(true)}>
          {t('detail.whole', { length: count(content.length) })}
        </Button>
      )}
    </div>
  )
}

const heading = 'mt-2 font-semibold'

// Below the title of the page.
const COMPONENTS: Components = {
  h1: ({ children }) => <h2 className={`${heading} text-xl`}>{children}</h2>,
  h2: ({ children }) => <h2 className={`${heading} text-lg`}>{children}</h2>,
  h3: ({ children }) => <h3 className={heading}>{children}</h3>,
  h4: ({ children }) => <h4 className={heading}>{children}</h4>,
  h5: ({ children }) => <h5 className={heading}>{children}</h5>,
  h6: ({ children }) => <h6 className={heading}>{children}</h6>,
  img: ({ alt }) => <>{alt}</>,
  // The renderer has emptied the addresses that are none of the web.
  a: ({ href, children }) =>
    href && /^(https?:|[^:]*$)/i.test(href) ? (
      <a href={href} rel="noreferrer">
        {children}
      </a>
    ) : (
      <>{children}</>
    ),
  table: ({ children }) => <Table>{children}</Table>,
  th: ({ children }) => <Th>{children}</Th>,
  td: ({ children }) => <Td>{children}</Td>,
}
