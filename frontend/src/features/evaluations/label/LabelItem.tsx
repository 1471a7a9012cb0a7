import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Answer } from '@/components/answer/Answer'
import { ErrorState } from '@/components/page'
import { Card } from '@/components/ui'
import type { OpenNote } from '@/components/verdict/SourceList'
import { useVerdict } from '@/hooks/useVerdict'

import { LabelDetails } from './LabelDetails'
import { LabelNotes, type OpenedNote } from './LabelNotes'
import { LabelVerdict } from './LabelVerdict'
import type { Entry, LabelSession } from './labelSession'

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
