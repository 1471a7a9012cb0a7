import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Answer } from '@/components/answer/Answer'
import { Highlighted } from '@/components/answer/Highlighted'
import { ErrorState } from '@/components/page'
import { Button, Card, CardTitle, TextLink } from '@/components/ui'
import type { OpenNote } from '@/components/verdict/SourceList'
import { VerdictBars } from '@/components/verdict/VerdictBars'
import { VerdictDetails } from '@/components/verdict/VerdictDetails'
import { VerdictStatus } from '@/components/verdict/VerdictStatus'
import { useVerdict } from '@/hooks/useVerdict'
import type { Schema } from '@/lib/api'
import { cn } from '@/lib/cn'
import { voiceOf } from '@/lib/judge'
import type { EvaluationView } from '@/lib/verdict'

import { Key } from './KeyHelp'
import type { Draft, Entry, LabelSession } from './labelSession'
import { UTILITY_KEYS } from './options'

interface Props {
  entry: Entry
  session: LabelSession
  /** The verdict comes after the label; until then not even the browser has it. */
  hidden: boolean
  keys: boolean
}

// What `scroll-mt-16` leaves for the header.
const HEADER_PX = 64

/** Question, answer and notes; the judge's marks and verdict once one has decided. */
export function LabelItem({ entry: { item, draft }, session, hidden, keys }: Props) {
  const { t } = useTranslation('evaluations')
  const top = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<OpenedNote | null>(null)
  const shown = !hidden || draft.label !== null
  const { view, error } = useVerdict(shown ? item.evaluation_id : null)
  const claims = shown ? view?.feedback?.groundedness?.claims : undefined
  useEffect(() => {
    // One longer than the window counts as nearest wherever the one before was left.
    const above = (top.current?.getBoundingClientRect().top ?? 0) < HEADER_PX
    top.current?.scrollIntoView({ block: above ? 'start' : 'nearest' })
  }, [])
  // The same each time, so that the answer is not read again at each letter of a comment.
  const openNote: OpenNote = useCallback((index, quote) => setOpened({ index, quote }), [])
  return (
    // On a narrow screen the notes come before what can be said beside the label.
    <div ref={top} className="grid scroll-mt-16 gap-4 lg:grid-cols-2 lg:grid-rows-[auto_auto_1fr]">
      <Card className="grid content-start gap-3">
        <h2 className="font-semibold whitespace-pre-wrap" lang={item.lang}>
          {item.question}
        </h2>
        <div lang={item.lang}>
          <Answer
            text={item.answer}
            noteCount={item.notes.length}
            onOpenNote={openNote}
            {...(claims ? { claims } : { sentences: item.sentences })}
          />
        </div>
        <a href="#label-notes" className="text-sm underline underline-offset-2 lg:hidden">
          {t('label.toNotes', { count: item.notes.length })}
        </a>
      </Card>
      <div className="lg:col-start-2 lg:row-span-3 lg:row-start-1">
        <LabelNotes notes={item.notes} lang={item.lang} opened={opened} />
      </div>
      <LabelDetails draft={draft} session={session} keys={keys} />
      {shown && view && <LabelVerdict view={view} onOpenNote={openNote} />}
      {shown && error && <ErrorState error={error} />}
    </div>
  )
}

interface LabelVerdictProps {
  view: EvaluationView
  onOpenNote: OpenNote
}

/** What the judge says of the answer. */
function LabelVerdict({ view, onOpenNote }: LabelVerdictProps) {
  const { t } = useTranslation('evaluations')
  return (
    <Card aria-label={t('detail.verdict')} className="grid gap-4">
      <CardTitle className="mb-0">{t('detail.verdict')}</CardTitle>
      <VerdictStatus verdict={view} />
      {view.qa_evaluation && <VerdictBars evaluation={view.qa_evaluation} voice={voiceOf(view)} />}
      <VerdictDetails verdict={view} onOpenNote={onOpenNote} />
      <TextLink plain to={`/evaluations/${view.id}`} className="text-sm">
        {t('label.toVerdict')}
      </TextLink>
    </Card>
  )
}

interface OpenedNote {
  index: number
  quote: string | undefined
}

interface LabelNotesProps {
  notes: readonly Schema<'GivenNote'>[]
  lang: string
  /** Scrolled to, with its quote marked. */
  opened: OpenedNote | null
}

/** The notes as the answering model was given them; on a wide screen they scroll beside the
 * answer. */
function LabelNotes({ notes, lang, opened }: LabelNotesProps) {
  const { t } = useTranslation(['evaluations', 'ai'])
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    if (!opened) return
    const note = list.current?.querySelector(`[data-note="${opened.index}"]`)
    const mark = opened.quote ? note?.querySelector('mark') : null
    ;(mark ?? note)?.scrollIntoView({ block: mark ? 'center' : 'start' })
  }, [opened])
  return (
    <Card
      id="label-notes"
      tabIndex={0}
      aria-label={t('detail.sources')}
      className="scroll-mt-16 lg:sticky lg:top-18 lg:max-h-[calc(100dvh-10rem)] lg:self-start lg:overflow-y-auto"
    >
      <CardTitle>{t('detail.sources')}</CardTitle>
      {notes.length === 0 && (
        <p className="text-muted-foreground text-sm">{t('detail.noSources')}</p>
      )}
      <ol ref={list} lang={lang} className="divide-border grid divide-y">
        {notes.map(({ note_index: index, title, content }) => (
          <li key={index} data-note={index} className="scroll-mt-16 py-3 first:pt-0">
            <h3 className="mb-1 text-sm font-medium">
              {index}. {title || t('ai:noteNumber', { index })}
            </h3>
            <Highlighted text={content} quote={opened?.index === index ? opened.quote : ''} />
          </li>
        ))}
      </ol>
    </Card>
  )
}

interface LabelDetailsProps {
  draft: Draft
  session: LabelSession
  keys: boolean
}

/** What one may say beside the label. */
function LabelDetails({ draft, session, keys }: LabelDetailsProps) {
  const { t } = useTranslation('evaluations')
  const id = useId()
  const { label, utility, comment } = draft
  return (
    <Card className="grid gap-3 text-sm">
      <div role="group" aria-labelledby={id} className="flex flex-wrap items-center gap-2">
        <span id={id} className="font-medium">
          {t('label.utility')}
        </span>
        {UTILITY_KEYS.map(({ key, value }) => (
          <Button
            key={value}
            size="sm"
            aria-pressed={utility === value}
            className={cn(utility === value && 'bg-accent text-accent-foreground')}
            onClick={() => session.edit({ utility: utility === value ? null : value })}
          >
            {t(`utilities.${value}`)}
            {keys && <Key name={key} />}
          </Button>
        ))}
      </div>
      <div className="grid gap-1">
        <label htmlFor="label-comment" className="font-medium">
          {t('feedback.comment')} {keys && <Key name="c" />}
        </label>
        <textarea
          id="label-comment"
          rows={1}
          maxLength={4000}
          defaultValue={comment}
          className="bg-card border-input min-h-10 w-full rounded-md border px-3 py-2"
          onChange={({ target }) => session.write({ comment: target.value })}
          onBlur={({ target }) => session.edit({ comment: target.value.trim() })}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Escape') currentTarget.blur()
          }}
        />
      </div>
      {label === null && (utility !== null || comment !== '') && (
        <p className="text-muted-foreground">{t('label.storedWithLabel')}</p>
      )}
    </Card>
  )
}
