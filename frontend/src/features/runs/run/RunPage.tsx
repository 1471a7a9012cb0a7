import { OctagonAlert, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'

import { ErrorState, Facts, PageHeader } from '@/components/page'
import { ButtonLink, Spinner, TextLink } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { judgeName } from '@/lib/names'

import { RunStatus } from '../RunStatus'
import { hasEnded, type Run, useCancelRun, useLiveRun } from '../api/runs'
import { moment } from '../figures'
import { generationOf, JUDGED } from '../generation'

import { Cases } from './Cases'
import { Findings } from './Findings'
import { Means } from './Means'
import { RunProgress } from './RunProgress'

export function RunPage() {
  const { t } = useTranslation('runs')
  const { id = '' } = useParams()
  const { data: run, error, refetch } = useLiveRun(id)
  const cancel = useCancelRun(id)
  return (
    <>
      <PageHeader title={t('detail.title')} of={run?.name} {...(run && { lead: run.name })}>
        {run && hasEnded(run) && <Reports id={id} />}
      </PageHeader>
      {error && <ErrorState error={error} onRetry={() => refetch()} />}
      {!run && !error && <Spinner />}
      {run && (
        <div className="grid grid-cols-1 gap-6">
          <Settings run={run} />
          {hasEnded(run) ? (
            <RunResults run={run} />
          ) : (
            <>
              <Waiting run={run} />
              <RunProgress
                done={run.done}
                total={run.cases}
                cancel={cancel}
                label={t('detail.cancel')}
              />
            </>
          )}
        </div>
      )}
    </>
  )
}

/** For money of the daily budget. */
function Waiting({ run: { waits_for, waits_until } }: { run: Run }) {
  const { t } = useTranslation('runs')
  if (waits_for === null || waits_until === null) return null
  return (
    <p className="bg-warning-soft text-warning-foreground rounded-lg p-4 text-sm">
      {t(`detail.waits.${waits_for}`, { until: moment(waits_until) })}
    </p>
  )
}

function Reports({ id }: { id: string }) {
  const { t } = useTranslation('runs')
  const address = `/evaluation/runs/${id}/report?format=`
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink href={`${address}junit`} download={`run-${id}.xml`}>
        {t('detail.junit')}
      </ButtonLink>
      <ButtonLink href={`${address}markdown`} download={`run-${id}.md`}>
        {t('detail.markdown')}
      </ButtonLink>
    </div>
  )
}

function Settings({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const answers = run.evaluation_type === 'full_rag'
  const models: [string, string][] = answers
    ? [
        [t('detail.answerModel'), run.answer_model],
        [t('detail.judgeModel'), judgeName(run.judge_model)],
        ...(run.prompt_version === null
          ? []
          : [[t('start.prompt'), run.prompt_version] satisfies [string, string]]),
      ]
    : []
  return (
    <section
      aria-label={t('detail.settings')}
      className="flex flex-wrap items-center gap-x-8 gap-y-3"
    >
      <RunStatus status={run.status} />
      <Facts
        facts={[
          [
            t('list.dataset'),
            t('datasets.versionOf', { name: run.dataset_name, version: run.dataset_version }),
          ],
          [t('start.type'), t(`types.${run.evaluation_type}`)],
          [t('start.retrieval'), t(`retrievals.${run.retrieval}`)],
          [t('start.k'), run.k],
          ...(run.app_version === null ? [] : [[t('start.version'), run.app_version] as const]),
          ...models,
          ...(run.embedding_model === null
            ? []
            : [[t('detail.embeddingModel'), run.embedding_model] as const]),
          [t('list.when'), moment(run.created_at)],
        ]}
      />
      {run.dataset_id !== null && (
        <TextLink to={`/datasets/${run.dataset_id}`} className="text-sm">
          {t('detail.again')}
        </TextLink>
      )}
    </section>
  )
}

/** What a run that has ended has measured. */
function RunResults({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  return (
    <>
      {run.status !== 'completed' && (
        <p role="alert" className="bg-danger-soft text-danger-foreground rounded-lg p-4 text-sm">
          {t('detail.endedBy', { reason: run.error_message ?? t('detail.noReason') })}
        </p>
      )}
      {run.summary && (
        <>
          <Caveats run={run} summary={run.summary} />
          <Means run={run} summary={run.summary} />
          <Findings run={run} />
        </>
      )}
      <Cases run={run} />
    </>
  )
}

/** What the means leave out. */
function Caveats({ run, summary }: { run: Run; summary: Schema<'RunSummary'> }) {
  const { t } = useTranslation('runs')
  const { metrics, generation, failed } = summary
  const usable = generationOf(run)
  // With every case failed the judge was never heard.
  const silent = run.evaluation_type === 'full_rag' && !usable && run.cases > 0
  const unread = usable
    ? JUDGED.filter((metric) => usable[metric].scored > usable[metric].parsed)
    : []
  const notes = [
    ...(metrics === null ? [t(failed < run.cases ? 'means.ownNotes' : 'means.noCase')] : []),
    ...(metrics?.missing_chunks ? [t('means.missing', { count: metrics.missing_chunks })] : []),
    ...(failed ? [t('means.failed', { count: failed }), run.error_message ?? ''] : []),
    ...unread.map((metric) =>
      t('means.unread', {
        count: (generation?.[metric].scored ?? 0) - (generation?.[metric].parsed ?? 0),
        metric: t(`metrics.${metric}`),
      }),
    ),
  ].filter(Boolean)
  return (
    <>
      {silent && (
        <p
          role="alert"
          className="bg-danger-soft text-danger-foreground flex gap-3 rounded-lg p-4 text-sm"
        >
          <OctagonAlert aria-hidden className="size-5 shrink-0" />
          {t('means.noQuality')}
        </p>
      )}
      {notes.length > 0 && (
        <div className="bg-warning-soft text-warning-foreground flex gap-3 rounded-lg p-4 text-sm">
          <TriangleAlert aria-hidden className="size-5 shrink-0" />
          <ul className="grid gap-1">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
