import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'

import { DataTable, ErrorState, PageHeader } from '@/components/page'
import { Card, Spinner, TextLink } from '@/components/ui'
import { useVerdict } from '@/hooks/useVerdict'
import type { Confidence } from '@/lib/answerState'
import type { Schema } from '@/lib/api'
import { percent, roundDollars } from '@/lib/figures'
import { judgeOf } from '@/lib/judge'
import { judgeName } from '@/lib/names'
import type { EvaluationView } from '@/lib/verdict'

import { RowStatus } from './RowStatus'
import { useHistory, useVerdictsOf } from './api/detail'
import { Actions } from './detail/Actions'
import { AnswerFeedback } from './detail/AnswerFeedback'
import { Evidence } from './detail/Evidence'
import { JudgeCalls } from './detail/JudgeCalls'
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
  return (
    <div className="grid min-w-0 gap-4">
      <Evidence view={view}>
        <AnswerFeedback id={view.id} />
      </Evidence>
      <Waterfall id={view.id} status={view.status} />
      <VerdictsOfAnswer view={view} />
      <Process view={view} />
    </div>
  )
}

/** Judges, calls and attempts, read once they are asked for. */
function Process({ view: { id, status, cascade } }: { view: EvaluationView }) {
  const { t } = useTranslation('evaluations')
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="min-h-8 font-semibold">{t('detail.process')}</summary>
      {open && (
        <div className="mt-2 grid gap-4">
          {cascade.length > 0 && <Cascade steps={cascade} />}
          <JudgeCalls id={id} status={status} />
          <Steps id={id} status={status} />
        </div>
      )}
    </details>
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

type Step = Schema<'CascadeStepView'>

const RULES = 'offline:rules'
const BY_RULES = { high: 'confirmed', medium: 'undecided', low: 'contradicted' } as const

/** What each judge of a cascade said, in the order in which they were asked. */
function Cascade({ steps }: { steps: readonly Step[] }) {
  const { t } = useTranslation('evaluations')
  const { t: ai } = useTranslation('ai')
  const said = ({ judge_model: judge, confidence, correctness }: Step) => {
    if (confidence === null) return '–'
    const level = confidence as Confidence
    if (judge === RULES) return ai(`state.${BY_RULES[level]}`)
    return `${t(`options.confidence.${level}`)} · ${percent(correctness)}`
  }
  return (
    <Card title={t('cascade.title')}>
      <DataTable<Step>
        caption={t('cascade.title')}
        rows={steps}
        // A judge that stands in for the last one may have been a step already.
        rowKey={(step) => `${step.judge_model} ${step.decided}`}
        columns={[
          [t('cascade.judge'), (step) => judgeName(step.judge_model)],
          [t('cascade.said'), (step) => said(step)],
          [t('cascade.role'), (step) => <Role step={step} />],
          [t('cascade.cost'), ({ cost_usd: cost }) => roundDollars(cost), 'numeric'],
        ]}
      />
    </Card>
  )
}

function Role({ step }: { step: Step }) {
  const { t } = useTranslation('evaluations')
  if (step.error !== null) {
    return <span className="text-danger">{t('cascade.failed', { error: step.error })}</span>
  }
  if (step.decided) return <strong>{t('cascade.decided')}</strong>
  return <>{t(step.checked ? 'cascade.checked' : 'cascade.passedOn')}</>
}
