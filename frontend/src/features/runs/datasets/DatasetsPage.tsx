import { Trash2, Upload as UploadIcon } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import {
  type Column,
  ConfirmDialog,
  EmptyState,
  ErrorState,
  PagedList,
  PageHeader,
  RequestForm,
  WideTable,
} from '@/components/page'
import {
  Button,
  Card,
  Input,
  ProgressBar,
  Select,
  TextLink,
  TriggeredDialog,
} from '@/components/ui'
import { useDraft } from '@/hooks/useDraft'
import type { Schema } from '@/lib/api'
import { toast } from '@/lib/toast'

import {
  type Upload,
  FORMATS,
  useDatasets,
  useDatasetsChanged,
  useDeleteDataset,
  useImport,
} from '../api/datasets'
import { useLiveJob } from '../api/runs'
import { count, moment } from '../figures'

import { ExportLinks, ReviewState } from './ExportLinks'
import { GenerateDialog } from './GenerateDialog'
import { NotebookSelect } from './NotebookSelect'

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
    [t('datasets.name'), ({ id, name }) => <TextLink to={`/datasets/${id}`}>{name}</TextLink>],
    [t('datasets.version'), ({ version }) => `v${version}`],
    [t('datasets.cases'), ({ cases }) => count(cases), 'numeric'],
    [t('datasets.review'), (dataset) => <ReviewState dataset={dataset} />],
    [t('datasets.created'), ({ created_at }) => moment(created_at), 'nowrap'],
    [t('datasets.export'), (dataset) => <ExportLinks dataset={dataset} />],
    [t('datasets.actions'), (dataset) => <DeleteDataset dataset={dataset} />],
  ]
  return <WideTable caption={t('datasets.caption')} columns={columns} rows={datasets} />
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

function ImportDialog() {
  const { t } = useTranslation('runs')
  return (
    <TriggeredDialog
      title={t('import.title')}
      description={t('import.text')}
      trigger={<Button icon={UploadIcon}>{t('import.open')}</Button>}
    >
      <ImportForm />
    </TriggeredDialog>
  )
}

const NO_UPLOAD = { name: '', format: 'jsonl', notebookId: '' } as const

function ImportForm() {
  const { t } = useTranslation('runs')
  const navigate = useNavigate()
  const upload = useImport()
  const [file, setFile] = useState<File | null>(null)
  const [tried, setTried] = useState(false)
  const { draft, change, field } = useDraft<Omit<Upload, 'file'>>(NO_UPLOAD)
  const choose = (chosen: File | null) => {
    setFile(chosen)
    if (chosen?.name.endsWith('.csv')) change({ format: 'csv' })
    if (chosen && draft.name === '') change({ name: chosen.name.replace(/\.[^.]*$/, '') })
  }
  const submit = () => {
    setTried(true)
    if (file === null) return
    upload.mutate(
      { ...draft, file, name: draft.name.trim() },
      {
        onSuccess: ({ id }) => {
          toast(t('import.done'), 'success')
          void navigate(`/datasets/${id}`)
        },
      },
    )
  }
  return (
    <RequestForm request={upload} action={t('import.start')} onSubmit={submit}>
      <Input
        type="file"
        className="py-2"
        label={t('import.file')}
        accept=".jsonl,.json,.csv"
        error={tried && file === null ? t('import.noFile') : undefined}
        onChange={({ target }) => choose(target.files?.[0] ?? null)}
      />
      <Select
        label={t('import.format')}
        options={FORMATS.map((known) => ({ value: known, text: t(`import.${known}`) }))}
        {...field('format')}
      />
      <Input
        label={t('datasets.name')}
        required
        maxLength={200}
        pattern=".*\S.*"
        {...field('name')}
      />
      <NotebookSelect
        label={t('import.notebook')}
        none={t('import.anyNotebook')}
        {...field('notebookId')}
      />
    </RequestForm>
  )
}
