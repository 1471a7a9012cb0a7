import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { Answer } from '@/components/answer/Answer'
import { NoteDialog, type OpenedNote } from '@/components/answer/NoteDialog'
import { Card } from '@/components/ui'
import { RefinedAnswer } from '@/components/verdict/RefinedAnswer'
import type { OpenNote } from '@/components/verdict/SourceList'
import { useRefinement } from '@/hooks/useRefinement'
import type { EvaluationView } from '@/lib/verdict'

import { useSources } from '../api/detail'
import { moment } from '../scores'

import { AnswerAttributes } from './AnswerAttributes'
import { Sources } from './Sources'
import { Turns } from './Turns'
import { VerdictCard } from './VerdictCard'

interface Props {
  view: EvaluationView
  /** What stands below the answer's notes. */
  children?: ReactNode
}

/** An answer, its verdict and the notes that it was given; beside each other where there is room. */
export function Evidence({ view, children }: Props) {
  const { t } = useTranslation('ai')
  const [opened, setOpened] = useState<OpenedNote | null>(null)
  const judged = view.qa_evaluation !== null
  const openNote = (index: number, quote?: string) => setOpened({ index, quote })
  return (
    <div className="@container grid min-w-0 gap-4">
      {view.current_id !== view.id && (
        <p className="bg-warning-soft text-warning-foreground rounded-md p-3 text-sm">
          {t('verdict.judgedAgain')}{' '}
          <Link to={`/evaluations/${view.current_id}`} className="font-medium underline">
            {t('verdict.toCurrent')}
          </Link>
        </p>
      )}
      {/* The verdict is the longest; what is short stands beside it, one below another. */}
      <div className="grid grid-cols-1 gap-4 @3xl:grid-cols-2 @3xl:grid-rows-[auto_auto_1fr]">
        <AnswerCard view={view} onOpenNote={openNote} />
        <div className="grid grid-cols-1 content-start @3xl:col-start-2 @3xl:row-span-3 @3xl:row-start-1">
          <VerdictCard view={view} onOpenNote={openNote} />
        </div>
        <Sources id={view.id} judged={judged} onOpenNote={openNote} />
        {children}
      </div>
      {opened && (
        <SourceDialog
          id={view.id}
          judged={judged}
          opened={opened}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  )
}

interface SourceProps {
  id: string
  judged: boolean
  opened: OpenedNote
  onClose: () => void
}

/** A note as the answering model was given it, with the quoted passage marked. */
function SourceDialog({ id, judged, opened, onClose }: SourceProps) {
  const { data: sources, ...query } = useSources(id, judged)
  const found = sources?.find((each) => each.note_index === opened.index)
  const source = found ? { ...found, asGiven: true } : sources && null
  const title = found?.title ? `${opened.index}. ${found.title}` : undefined
  return <NoteDialog {...{ opened, source, title, query, onClose }} />
}

interface AnswerCardProps {
  view: EvaluationView
  onOpenNote: OpenNote
}

/** The question, and the answer with what nothing bears out underlined. */
function AnswerCard({ view, onOpenNote }: AnswerCardProps) {
  const { t } = useTranslation('evaluations')
  const better = useRefinement(view.refinement)
  const claims = view.feedback?.groundedness?.claims
  return (
    <Card className="grid content-start gap-3">
      <h2 className="font-semibold whitespace-pre-wrap" lang={view.lang}>
        {view.question}
      </h2>
      <Turns view={view} />
      <div lang={view.lang}>
        <Answer
          text={view.answer}
          noteCount={view.qa_evaluation?.source_coverage.length ?? 0}
          onOpenNote={onOpenNote}
          {...(claims && { claims })}
        />
      </div>
      <p className="text-muted-foreground text-sm">
        {t(`options.feature.${view.feature as 'search_qa'}`, { defaultValue: view.feature })} ·{' '}
        {moment(view.created_at)}
      </p>
      <AnswerAttributes view={view} />
      {better && (
        <RefinedAnswer
          first={view.answer}
          refined={better.answer}
          lift={better.lift}
          titles={better.documents.map(({ title }) => title)}
        />
      )}
    </Card>
  )
}
