import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Card, ProgressBar } from '@/components/ui'

import { useDatasetsChanged } from '../api/datasets'
import { useLiveJob } from '../api/runs'
import { count } from '../figures'

/** A job that makes questions, until it has ended; then the list has its dataset. */
export function GenerationProgress({ id }: { id: string }) {
  const { t } = useTranslation('runs')
  const { data: job, error } = useLiveJob(id)
  const changed = useDatasetsChanged()
  const done = job?.status === 'succeeded'
  const refresh = useEffectEvent(changed)
  useEffect(() => {
    if (done) void refresh()
  }, [done])

  if (error) return <ErrorState error={error} />
  if (!job) return null
  const name = typeof job.payload.name === 'string' ? job.payload.name : ''
  const { total } = job
  if (job.status === 'cancelled') return <p role="status">{t('generate.cancelled')}</p>
  if (job.status === 'failed')
    return (
      <p role="alert" className="bg-danger-soft text-danger-foreground rounded-lg p-4 text-sm">
        {t('generate.failed', { reason: job.error ?? '' })}
      </p>
    )
  if (done)
    return (
      <p role="status" className="bg-success-soft text-success-foreground rounded-lg p-4 text-sm">
        {t('generate.done', { name })}
      </p>
    )
  return (
    <Card>
      <ProgressBar
        label={t('generate.progress', { name })}
        value={total ? job.done / total : 0}
        text={
          total === null
            ? t('generate.waiting')
            : t('generate.of', { done: count(job.done), total: count(total) })
        }
      />
    </Card>
  )
}
