import { Play } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { DataTable, EmptyState, PagedList, PageHeader } from '@/components/page'
import {
  Button,
  ButtonLink,
  Card,
  CardTitle,
  Select,
  Skeleton,
  TextLink,
  TriggeredDialog,
} from '@/components/ui'
import { useUrlFilters } from '@/hooks/useUrlFilters'

import { useDatasets } from '../api/datasets'
import { type Run, useRuns } from '../api/runs'
import { compareAddress } from '../compare/chosenRuns'
import { figure, interval, moment } from '../figures'
import { StartRun } from '../start/StartRun'

import { RunTable } from './RunTable'
import { TREND_METRICS, type TrendMetric, trendOf, type TrendPoint } from './trend'

export function RunsPage() {
  const { t } = useTranslation(['runs', 'common'])
  const { params, setFilters } = useUrlFilters()
  const dataset = params.get('dataset')
  const runs = useRuns(dataset)
  const datasets = useDatasets().data?.pages.flatMap((page) => page.items) ?? []
  const [picked, setPicked] = useState<readonly string[]>([])
  const found = runs.data?.pages.flatMap((page) => page.items) ?? []
  const options = datasets.map(({ id, name, version }) => ({
    value: id,
    text: t('datasets.versionOf', { name, version }),
  }))
  return (
    <div className="md:-mt-6">
      <PageHeader title={t('list.title')} className="mb-1 items-center">
        <StartButton dataset={dataset} options={options} />
      </PageHeader>
      <div className="@container grid grid-cols-1 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <div className="w-56">
            <Select
              label={t('list.dataset')}
              hideLabel
              className="min-h-9"
              value={dataset ?? ''}
              onValue={(id) => setFilters({ dataset: id })}
              options={options}
              none={t('list.allDatasets')}
            />
          </div>
          <p className="text-muted-foreground min-w-0 flex-1 text-sm @max-xl:basis-full">
            {t('list.pickTwo')}
          </p>
          <CompareButton picked={picked} runs={found} />
        </div>
        <PagedList
          list={runs}
          empty={
            <EmptyState
              title={t(dataset === null ? 'list.empty' : 'list.noMatch')}
              text={t('list.emptyText')}
            >
              <ButtonLink to="/datasets">{t('list.toDatasets')}</ButtonLink>
            </EmptyState>
          }
        >
          {(items) => (
            <>
              <RunTable runs={items} picked={picked} onPick={setPicked} />
              {dataset !== null && <DatasetTrend runs={items} />}
            </>
          )}
        </PagedList>
      </div>
    </div>
  )
}

interface StartProps {
  dataset: string | null
  options: readonly { value: string; text: string }[]
}

/** Starts a run over a dataset, that of the list unless another is chosen. */
function StartButton({ dataset, options }: StartProps) {
  const { t } = useTranslation('runs')
  const [chosen, setChosen] = useState<string>()
  const id = chosen ?? dataset ?? options[0]?.value
  return (
    <TriggeredDialog
      title={t('start.title')}
      trigger={
        <Button variant="primary" disabled={id === undefined} icon={Play}>
          {t('start.title')}
        </Button>
      }
    >
      {id !== undefined && (
        <div className="grid gap-4">
          <Select label={t('list.dataset')} value={id} onValue={setChosen} options={options} />
          <StartRun key={id} datasetId={id} />
        </div>
      )}
    </TriggeredDialog>
  )
}

/** The oldest run is the one that the others are measured against. */
function CompareButton({ picked, runs }: { picked: readonly string[]; runs: readonly Run[] }) {
  const { t } = useTranslation('runs')
  const oldestFirst = runs.filter(({ id }) => picked.includes(id)).reverse()
  const [baseline, ...others] = oldestFirst.map(({ id }) => id)
  const label = t('list.compare', { runs: oldestFirst.length })
  if (baseline === undefined || others.length === 0)
    return (
      <Button className="min-h-9" disabled>
        {label}
      </Button>
    )
  return (
    <ButtonLink className="min-h-9" to={compareAddress({ baseline, others })}>
      {label}
    </ButtonLink>
  )
}

// Recharts is larger than the page.
const TrendChart = lazy(async () => ({ default: (await import('./TrendChart')).TrendChart }))

/** A metric of the runs of one dataset over time, as a picture and as a table; nothing with fewer
 * than two completed runs. */
function DatasetTrend({ runs }: { runs: readonly Run[] }) {
  const { t } = useTranslation('runs')
  const [metric, setMetric] = useState<TrendMetric>('recall_at_k')
  if (runs.filter(({ status }) => status === 'completed').length < 2) return null
  const points = trendOf(runs, metric, t)
  const title = t('trend.chart', { metric: t(`metrics.${metric}`) })
  const isMixed = new Set(points.map(({ setting }) => setting)).size > 1
  return (
    <Card className="grid min-w-0 grid-cols-1 gap-3">
      <div>
        <CardTitle className="mb-1">{t('trend.title')}</CardTitle>
        <p className="text-muted-foreground text-sm">{t('trend.lead')}</p>
      </div>
      <div className="sm:max-w-xs">
        <Select
          label={t('trend.metric')}
          value={metric}
          onValue={setMetric}
          options={TREND_METRICS.map((name) => ({ value: name, text: t(`metrics.${name}`) }))}
        />
      </div>
      {isMixed && <p className="text-sm">{t('trend.unlike')}</p>}
      {points.length === 0 ? (
        <p className="text-muted-foreground py-8 text-center text-sm">{t('trend.none')}</p>
      ) : (
        <>
          <Suspense fallback={<Skeleton className="h-64" />}>
            <TrendChart label={t('trend.picture', { title })} points={points} />
          </Suspense>
          <TrendTable title={title} points={points} />
        </>
      )}
    </Card>
  )
}

function TrendTable({ title, points }: { title: string; points: readonly TrendPoint[] }) {
  const { t } = useTranslation('runs')
  return (
    <DataTable
      caption={title}
      columns={[
        [
          t('list.name'),
          ({ run }) => (
            <TextLink to={`/runs/${run.id}`} className="inline-block min-w-36">
              {run.name}
            </TextLink>
          ),
        ],
        [t('means.mean'), ({ value }) => figure(value), 'numeric'],
        [t('means.interval'), (point) => interval(point.interval), 'numeric'],
        [t('trend.setting'), ({ setting }) => setting],
        [t('list.when'), ({ run }) => moment(run.created_at), 'nowrap'],
      ]}
      rows={points.toReversed()}
    />
  )
}
