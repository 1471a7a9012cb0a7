import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'

import { ErrorState, PageHeader } from '@/components/page'
import { Button, Spinner } from '@/components/ui'
import { judgeName } from '@/lib/judge'

import { Facts } from '../Facts'
import { RunStatus } from '../RunStatus'
import { hasEnded, useCancelRun, useLiveRun, type Run } from '../api/runs'
import { moment } from '../figures'

import { RunProgress } from './RunProgress'
import { RunResults } from './RunResults'

export function RunPage() {
  const { t } = useTranslation('runs')
  const { id = '' } = useParams()
  const { data: run, error, refetch } = useLiveRun(id)
  const cancel = useCancelRun(id)
  return (
    <>
      <PageHeader title={t('detail.title')} {...(run && { lead: run.name })}>
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
      <Button asChild variant="outline">
        <a href={`${address}junit`} download={`run-${id}.xml`}>
          {t('detail.junit')}
        </a>
      </Button>
      <Button asChild variant="outline">
        <a href={`${address}markdown`} download={`run-${id}.md`}>
          {t('detail.markdown')}
        </a>
      </Button>
    </div>
  )
}

function Settings({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const { t: ai } = useTranslation('ai')
  const answers = run.evaluation_type === 'full_rag'
  const models: [string, string][] = answers
    ? [
        [t('detail.answerModel'), run.answer_model],
        [t('detail.judgeModel'), judgeName(ai, run.judge_model)],
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
          ...models,
          ...(run.embedding_model === null
            ? []
            : [[t('detail.embeddingModel'), run.embedding_model] as const]),
          [t('list.when'), moment(run.created_at)],
        ]}
      />
      {run.dataset_id !== null && (
        <Link
          className="text-primary text-sm underline underline-offset-2"
          to={`/datasets/${run.dataset_id}`}
        >
          {t('detail.again')}
        </Link>
      )}
    </section>
  )
}
