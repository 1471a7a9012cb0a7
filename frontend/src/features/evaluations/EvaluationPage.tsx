import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'

import { ErrorState, PageHeader } from '@/components/page'
import { Card, Spinner, TextLink } from '@/components/ui'
import { EvidenceView, type Shown } from '@/components/verdict/EvidenceView'
import { RefinedAnswer } from '@/components/verdict/RefinedAnswer'
import { useRefinement } from '@/hooks/useRefinement'
import { useVerdict } from '@/hooks/useVerdict'
import { count } from '@/lib/figures'
import { groundednessOf, judgeOf } from '@/lib/judge'
import { judgeName } from '@/lib/names'
import type { EvaluationView } from '@/lib/verdict'

import { RowStatus } from './RowStatus'
import { useHistory, useSources, useVerdictsOf } from './api/detail'
import { Actions } from './detail/Actions'
import { AnswerAttributes } from './detail/AnswerAttributes'
import { AnswerFeedback } from './detail/AnswerFeedback'
import { Cascade } from './detail/Cascade'
import { JudgeCalls } from './detail/JudgeCalls'
import { Turns } from './detail/Turns'
import { VerdictCard } from './detail/VerdictCard'
import { Waterfall } from './detail/Waterfall'
import { moment, scoresOf } from './scores'

/** All that is kept of one verdict, as it changes. */
export function EvaluationPage() {
  const { t } = useTranslation('evaluations')
  const { id = '' } = useParams()
  const { view, error } = useVerdict(id)
  return (
    <>
      <PageHeader title={t('detail.title')} of={view?.question}>
        {view && <Actions view={view} />}
      </PageHeader>
      {error && (
        <div className="grid justify-items-start gap-3">
          <ErrorState error={error} />
          <TextLink plain to="/evaluations">
            {t('detail.back')}
          </TextLink>
        </div>
      )}
      {!view && !error && <Spinner />}
      {view && !error && <Detail key={id} view={view} />}
    </>
  )
}

function Detail({ view }: { view: EvaluationView }) {
  const { t } = useTranslation('ai')
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
      <Evidence view={view} />
      {view.cascade.length > 0 && <Cascade steps={view.cascade} />}
      <Waterfall id={view.id} status={view.status} />
      <JudgeCalls id={view.id} status={view.status} />
      <div className="grid gap-4 lg:grid-cols-2">
        <Steps id={view.id} status={view.status} />
        <VerdictsOfAnswer view={view} />
      </div>
    </div>
  )
}

/** What happened to the verdict, attempt by attempt. */
function Steps({ id, status }: { id: string; status: string }) {
  const { t } = useTranslation('evaluations')
  const { data: steps, error, isPending, refetch } = useHistory(id, status)
  return (
    <Card title={t('steps.title')}>
      {isPending && <Spinner />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {steps?.length === 0 && <p className="text-muted-foreground text-sm">{t('steps.none')}</p>}
      <ol className="grid gap-1 text-sm">
        {steps?.map((step, at) => (
          // Steps are only ever added at the end.
          <li key={at} className="flex flex-wrap justify-between gap-2">
            <span>
              {step.refinement_id !== null && `${t('steps.refinement')}: `}
              {t(`options.status.${step.status as 'queued'}`, { defaultValue: step.status })}
            </span>
            <time dateTime={step.at} className="text-muted-foreground">
              {moment(step.at)}
            </time>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** The same answer, judged again and again. */
function VerdictsOfAnswer({ view }: { view: EvaluationView }) {
  const { t } = useTranslation(['evaluations', 'ai'])
  const { data: page, error, isPending, refetch } = useVerdictsOf(view.answer_id, view.current_id)
  return (
    <Card title={t('verdicts.title')}>
      {isPending && <Spinner />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      <ul className="grid gap-3 text-sm">
        {page?.items.map((row) => (
          <li key={row.id} className="grid gap-1">
            <div className="flex flex-wrap items-center justify-between gap-2">
              {row.id === view.id ? (
                <span aria-current="page" className="font-medium">
                  {moment(row.created_at)} ({t('verdicts.this')})
                </span>
              ) : (
                <TextLink plain to={`/evaluations/${row.id}`}>
                  {moment(row.created_at)}
                </TextLink>
              )}
              <RowStatus row={row} />
            </div>
            <p className="text-muted-foreground">
              {scoresOf(row, judgeName(judgeOf(row) ?? row.judge_model))}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The answer beside its notes, with all that the verdict says of it. */
function Evidence({ view }: { view: EvaluationView }) {
  const { t } = useTranslation('evaluations')
  const [shown, setShown] = useState<Shown | null>(null)
  const better = useRefinement(view.refinement)
  const judged = view.qa_evaluation !== null
  const { data: sources, error, refetch } = useSources(view.id, judged)
  // Nobody knows before the verdict which notes the answer uses.
  const notes = sources?.map(({ cited, ...note }) => ({ ...note, ...(judged && { cited }) })) ?? []
  return (
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
      }
    >
      <VerdictCard
        view={view}
        onOpenNote={(note, quote) => setShown({ note, quote, to: 'note' })}
      />
      <AnswerFeedback id={view.id} />
    </EvidenceView>
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
