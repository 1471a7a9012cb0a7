import { Trash2 } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'

import {
  type Column,
  ConfirmDialog,
  EmptyState,
  ErrorState,
  PagedList,
  PageHeader,
  WideTable,
} from '@/components/page'
import { Button, Card, ProgressBar, TextLink } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { useDatasets, useDatasetsChanged, useDeleteDataset } from '../api/datasets'
import { useLiveJob } from '../api/runs'
import { count, moment } from '../figures'

import { ExportLinks, ReviewState } from './ExportLinks'
import { GenerateDialog } from './GenerateDialog'
import { ImportDialog } from './ImportDialog'

export function DatasetsPage() {
  const { t } = useTranslation(['runs', 'common'])
  const datasets = useDatasets()
  const [jobs, setJobs] = useState<readonly string[]>([])
  return (
    <>
      <PageHeader title={t('datasets.title')} lead={t('datasets.lead')}>
        <div className="flex gap-2">
          <GenerateDialog onStarted={(job) => setJobs([...jobs, job])} />
          <ImportDialog />
        </div>
      </PageHeader>
      <div className="grid grid-cols-1 gap-4">
        {jobs.map((job) => (
          <GenerationProgress key={job} id={job} />
        ))}
        <PagedList
          list={datasets}
          empty={<EmptyState title={t('datasets.empty')} text={t('datasets.emptyText')} />}
        >
          {(found) => <DatasetTable datasets={found} />}
        </PagedList>
      </div>
    </>
  )
}

/** A job that makes questions, until it has ended; then the list has its dataset. */
function GenerationProgress({ id }: { id: string }) {
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

type Dataset = Schema<'DatasetView'>

function DatasetTable({ datasets }: { datasets: readonly Dataset[] }) {
  const { t } = useTranslation('runs')
  const columns: Column<Dataset>[] = [
    {
      header: t('datasets.name'),
      cell: ({ id, name }) => <TextLink to={`/datasets/${id}`}>{name}</TextLink>,
    },
    { header: t('datasets.version'), cell: ({ version }) => `v${version}` },
    { header: t('datasets.cases'), cell: ({ cases }) => count(cases), numeric: true },
    { header: t('datasets.review'), cell: (dataset) => <ReviewState dataset={dataset} /> },
    { header: t('datasets.created'), cell: ({ created_at }) => moment(created_at), nowrap: true },
    { header: t('datasets.export'), cell: (dataset) => <ExportLinks dataset={dataset} /> },
    { header: t('datasets.actions'), cell: (dataset) => <DeleteDataset dataset={dataset} /> },
  ]
  return (
    <WideTable
      caption={t('datasets.caption')}
      columns={columns}
      rows={datasets}
      rowKey={({ id }) => id}
    />
  )
}

function DeleteDataset({ dataset }: { dataset: Schema<'DatasetView'> }) {
  const { t } = useTranslation(['runs', 'common'])
  const remove = useDeleteDataset()
  const { id, name, version } = dataset
  return (
    <ConfirmDialog
      trigger={
        <Button
          variant="ghost"
          size="sm"
          aria-label={`${t('common:delete')}: ${t('datasets.versionOf', { name, version })}`}
          icon={Trash2}
        />
      }
      title={t('delete.title')}
      description={t('delete.text', { name, version })}
      action={t('common:delete')}
      request={remove}
      input={id}
      done={t('delete.done')}
    />
  )
}
