import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { ErrorState } from '@/components/page'
import { TextLink } from '@/components/ui'
import { EvidenceView, type Shown } from '@/components/verdict/EvidenceView'
import { RefinedAnswer } from '@/components/verdict/RefinedAnswer'
import { useRefinement } from '@/hooks/useRefinement'
import { useSources } from '@/hooks/useSources'
import { count } from '@/lib/figures'
import { groundednessOf } from '@/lib/judge'
import type { EvaluationView } from '@/lib/verdict'

import { moment } from '../scores'

import { AnswerAttributes } from './AnswerAttributes'
import { Turns } from './Turns'
import { VerdictCard } from './VerdictCard'

interface Props {
  view: EvaluationView
  /** What stands below the verdict. */
  children?: ReactNode
}

/** The answer beside its notes, with all that the verdict says of it. */
export function Evidence({ view, children }: Props) {
  const { t } = useTranslation('ai')
  const [shown, setShown] = useState<Shown | null>(null)
  const judged = view.qa_evaluation !== null
  const { data: sources, error, refetch } = useSources(view.id, judged)
  // Nobody knows before the verdict which notes the answer uses.
  const notes = sources?.map(({ cited, ...note }) => ({ ...note, ...(judged && { cited }) })) ?? []
  return (
    <div className="grid min-w-0 gap-4">
      {view.current_id !== view.id && (
        <p className="bg-warning-soft text-warning-foreground rounded-md p-3 text-sm">
          {t('verdict.judgedAgain')}{' '}
          <Link to={`/evaluations/${view.current_id}`} className="font-medium underline">
            {t('verdict.toCurrent')}
          </Link>
        </p>
      )}
      <EvidenceView
        answer={view.answer}
        lang={view.lang}
        groundedness={groundednessOf(view)}
        notes={notes}
        shown={shown}
        onShow={setShown}
        ofNote={(note) => <NoteFacts {...note} />}
        head={
          <>
            <h2 className="font-semibold whitespace-pre-wrap" lang={view.lang}>
              {view.question}
            </h2>
            <Turns view={view} />
          </>
        }
        foot={
          <>
            {error && <ErrorState error={error} onRetry={refetch} />}
            <AboutAnswer view={view} />
          </>
        }
      >
        <VerdictCard
          view={view}
          onOpenNote={(note, quote) => setShown({ note, quote, to: 'note' })}
        />
        {children}
      </EvidenceView>
    </div>
  )
}

/** Where the answer comes from, and a better one if there is one. */
function AboutAnswer({ view }: { view: EvaluationView }) {
  const { t } = useTranslation('evaluations')
  const better = useRefinement(view.refinement)
  return (
    <>
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
    </>
  )
}

/** How well the note was found, and the note as it is now. */
function NoteFacts({ note_id: id, score }: { note_id?: string | null; score?: number | null }) {
  const { t } = useTranslation('evaluations')
  return (
    <p className="text-muted-foreground mb-1 flex flex-wrap gap-x-3 text-sm empty:hidden">
      {typeof score === 'number' && <span>{t('detail.score', { score: count(score) })}</span>}
      {id && (
        <TextLink plain to={`/notes/${id}`}>
          {t('detail.noteNow')}
        </TextLink>
      )}
    </p>
  )
}
