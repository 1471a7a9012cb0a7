import { RotateCw } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { Button, Spinner } from '@/components/ui'
import { countVerdict } from '@/hooks/rulesVerdicts'
import type { AIMessage, MatchedNote } from '@/hooks/useAIStream'
import { useMissedVerdict } from '@/hooks/useMissedVerdict'
import { useNoteSource } from '@/hooks/useNoteSource'
import { useVerdict } from '@/hooks/useVerdict'
import { useNotebooks } from '@/hooks/workspace'
import type { Schema } from '@/lib/api'
import { cn } from '@/lib/cn'
import { voiceOf } from '@/lib/judge'
import { ApiError } from '@/lib/problem'
import { isFinal } from '@/lib/verdict'

import { EvidenceDialog } from '../verdict/EvidenceDialog'
import type { OpenNote } from '../verdict/SourceList'
import { statusText } from '../verdict/statusText'

import { Answer } from './Answer'
import { AnswerActions } from './AnswerActions'
import { AnswerVerdict } from './AnswerVerdict'
import { NoteDialog, type OpenedNote } from './NoteDialog'

interface Props {
  message: AIMessage
  onAsk: (question: string) => void
  onRetry: (id: string) => void
  busy: boolean
}

/** A question with its answer and what is known of the answer. */
export function Message({ message: told, onAsk, onRetry, busy }: Props) {
  const { t } = useTranslation('ai')
  const { message, lost } = useMissedVerdict(told)
  const { request, content, matchedNotes, state } = message
  // The stream tells where a verdict stands only at first and in the end.
  const { view, error } = useVerdict(message.verdict?.id ?? null)
  const ended = message.verdict && isFinal(message.verdict.status)
  const verdict = view && (isFinal(view.status) || !ended) ? view : message.verdict
  const judge =
    verdict && isFinal(verdict.status) && verdict.qa_evaluation ? voiceOf(verdict) : null
  const judgedId = verdict?.id
  useEffect(() => {
    if (judgedId && judge && judge !== 'degraded') countVerdict(judgedId, judge === 'rules')
  }, [judgedId, judge])
  const marked = verdict?.qa_evaluation?.decided === false ? null : verdict?.feedback?.groundedness
  const [opened, setOpened] = useState<OpenedNote | null>(null)
  const sources = verdict?.qa_evaluation?.source_coverage
  const openNote = useCallback(
    (index: number, quote?: string) => {
      const cited = sources?.find((source) => source.note_index === index)?.quote
      setOpened({ index, quote: quote ?? cited })
    },
    [sources],
  )
  const forgotten = error instanceof ApiError && error.status === 404
  return (
    // What the keyboard reaches is not left behind header and composer.
    <article
      className="grid gap-card **:scroll-mt-16 **:scroll-mb-28"
      aria-busy={state === 'streaming'}
    >
      <h2 className="bg-accent text-accent-foreground ml-auto max-w-[85%] rounded-2xl px-4 py-2 whitespace-pre-wrap">
        {request.content}
      </h2>
      {message.understood && (
        <p className="text-muted-foreground ml-auto max-w-[90%] px-4 text-sm">
          {t('chat.understood', { question: message.understood })}
        </p>
      )}
      <div className="grid gap-row">
        {state === 'streaming' && content === '' && (
          <Spinner label={matchedNotes ? t('chat.answering') : t('chat.searching')} />
        )}
        <Answer
          text={view?.answer ?? content}
          noteCount={matchedNotes?.length ?? 0}
          onOpenNote={openNote}
          {...(marked && { claims: marked.claims })}
        />
        <Ending message={message} onRetry={onRetry} busy={busy} />
        {verdict && !forgotten && (
          <AnswerVerdict
            question={request.content}
            answer={content}
            verdict={verdict}
            refinement={view?.refinement ?? null}
            judgedAgain={view && view.current_id !== view.id ? view.current_id : undefined}
            onOpenNote={openNote}
            onAsk={onAsk}
            busy={busy}
          />
        )}
        {matchedNotes && (
          <MatchedNotes notes={matchedNotes} sources={sources} onOpenNote={openNote} />
        )}
        {verdict?.id && !forgotten && <AnswerActions evaluationId={verdict.id} />}
        {forgotten && <p className="text-muted-foreground text-sm">{t('verdict.forgotten')}</p>}
        {lost && (
          <p role="status" className="text-muted-foreground text-sm">
            {t('verdict.lost')}
          </p>
        )}
      </div>
      <Announcement message={message} verdict={verdict} />
      {opened &&
        (view?.qa_evaluation ? (
          <EvidenceDialog view={view} opened={opened} onClose={() => setOpened(null)} />
        ) : (
          <SourceDialog message={message} opened={opened} onClose={() => setOpened(null)} />
        ))}
    </article>
  )
}

/** How the text ended, if not as it should, and the way to ask again. */
function Ending({ message, onRetry, busy }: Omit<Props, 'onAsk'>) {
  const { t } = useTranslation(['ai', 'common'])
  const { id, state, problem, content, open } = message
  if (state === 'streaming') return null
  if (state === 'complete') {
    return content === '' ? <p className="text-muted-foreground">{t('ai:chat.noText')}</p> : null
  }
  const text =
    state === 'failed'
      ? (problem?.detail ?? t('common:error.status', { status: problem?.status }))
      : t(`ai:chat.${state}`)
  return (
    <div
      role={state === 'stopped' ? 'status' : 'alert'}
      className={
        state === 'stopped'
          ? 'text-muted-foreground text-sm'
          : 'bg-danger-soft text-danger-foreground rounded-md p-3 text-sm'
      }
    >
      <p>{text}</p>
      <Button
        size="sm"
        className="text-foreground mt-2"
        disabled={busy || open}
        onClick={() => onRetry(id)}
        icon={RotateCw}
      >
        {t('common:retry')}
      </Button>
    </div>
  )
}

/** Read out by screen readers: that the answer is complete, and its verdict. */
function Announcement({
  message: { state, open },
  verdict,
}: {
  message: AIMessage
  verdict: AIMessage['verdict']
}) {
  const { t } = useTranslation('ai')
  const judged = verdict && !['queued', 'running'].includes(verdict.status)
  const text = judged ? statusText(verdict) : t('chat.complete')
  return (
    <p role="status" className="sr-only">
      {state === 'complete' && (judged || open || verdict) ? text : ''}
    </p>
  )
}

/** Nothing was found; where there is nothing to find, the way to notes. */
function NoNotes() {
  const { t } = useTranslation('ai')
  const { data: notebooks } = useNotebooks()
  const empty = notebooks?.every(({ notes }) => notes === 0)
  return (
    <p className="text-muted-foreground text-sm">
      {t(empty ? 'chat.noNotes' : 'chat.noMatch')}{' '}
      {empty && (
        <Link className="text-primary underline" to="/notes">
          {t('chat.toNotes')}
        </Link>
      )}
    </p>
  )
}

interface MatchedNotesProps {
  notes: readonly MatchedNote[]
  /** What the verdict says of them, once there is one. */
  sources: readonly Schema<'SourceCoverageView'>[] | undefined
  onOpenNote: OpenNote
}

/** The notes that the answer was given, in a row; those it cites stand out. */
function MatchedNotes({ notes, sources, onOpenNote }: MatchedNotesProps) {
  const { t } = useTranslation('ai')
  if (notes.length === 0) return <NoNotes />
  const isCited = (index: number) =>
    sources?.some(({ note_index: at, cited }) => cited && at === index)
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-2 text-sm">
      <p className="text-muted-foreground">{t('chat.matched')}</p>
      <ol className="flex gap-1 overflow-x-auto p-1">
        {notes.map(({ note_index: index, title }) => (
          <li key={index} className="max-w-56 shrink-0">
            <Button
              size="sm"
              className={cn('max-w-full justify-start', !isCited(index) && 'font-normal')}
              onClick={() => onOpenNote(index)}
            >
              <span className="truncate">
                {index}. {title || t('noteNumber', { index })}
              </span>
            </Button>
          </li>
        ))}
      </ol>
    </div>
  )
}

interface SourceProps {
  message: AIMessage
  opened: OpenedNote
  onClose: () => void
}

function SourceDialog({ message, opened, onClose }: SourceProps) {
  const { t } = useTranslation('ai')
  const { index } = opened
  const { data: source, ...query } = useNoteSource(message, index)
  const known = message.matchedNotes?.find((note) => note.note_index === index)?.title
  const found = source?.title ?? known ?? ''
  const title = found === '' ? t('noteNumber', { index }) : found
  return <NoteDialog {...{ opened, source, query, onClose }} title={`${index}. ${title}`} />
}
