import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, ProgressBar } from '@/components/ui'

import { hasEnded, useCancelJob, useRejudgeJob, type RejudgeRead } from '../api/bulk'

/** How far judging again is, and in the end what became of it. */
export function RejudgeProgress({ id, onDismiss }: { id: string; onDismiss: () => void }) {
  const { t } = useTranslation(['evaluations', 'common'])
  const job = useRejudgeJob(id)
  const cancel = useCancelJob(id)
  if (job.isError) return <ErrorState error={job.error} onRetry={job.refetch} />
  if (!job.data) return null
  const { done, total } = job.data.job
  const ended = hasEnded(job.data)
  return (
    <section
      aria-label={t('bulk.rejudge.progress')}
      className="border-border mb-3 grid gap-2 rounded-md border p-3 text-sm"
    >
      {!ended && (
        <ProgressBar
          label={t('bulk.rejudge.progress')}
          value={total ? done / total : 0}
          text={`${done} / ${total ?? '–'}`}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p role="status">{ended && <Outcome read={job.data} />}</p>
        {ended ? (
          <Button size="sm" onClick={onDismiss}>
            {t('common:close')}
          </Button>
        ) : (
          <Button size="sm" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('common:cancel')}
          </Button>
        )}
      </div>
      {cancel.isError && <ErrorState error={cancel.error} />}
    </section>
  )
}

function Outcome({ read: { job, progress } }: { read: RejudgeRead }) {
  const { t } = useTranslation('evaluations')
  const parts = (['succeeded', 'failed', 'cancelled'] as const)
    .filter((part) => progress[part] > 0 || part === 'succeeded')
    .map((part) => t(`bulk.rejudge.${part}`, { count: progress[part] }))
  return (
    <>
      {parts.join(' · ')}
      {job.status === 'failed' && job.error !== null && ` · ${job.error}`}
    </>
  )
}
