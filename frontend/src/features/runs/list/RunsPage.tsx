import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'

import { DataTable, EmptyState, PagedList, PageHeader } from '@/components/page'
import { Button, ButtonLink, Card, CardTitle, Select, Skeleton, TextLink } from '@/components/ui'

import { type Run, useRuns } from '../api/runs'
import { compareAddress } from '../compare/chosenRuns'
import { figure, interval, moment } from '../figures'

import { RunTable } from './RunTable'
import { TREND_METRICS, type TrendMetric, trendOf, type TrendPoint } from './trend'

export function RunsPage() {
  const { t } = useTranslation(['runs', 'common'])
  const [search] = useSearchParams()
  const dataset = search.get('dataset')
  const runs = useRuns(dataset)
  const [picked, setPicked] = useState<readonly string[]>([])
  const found = runs.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <PageHeader title={t('list.title')} lead={t('list.lead')}>
        <CompareButton picked={picked} runs={found} />
      </PageHeader>
      <div className="grid grid-cols-1 gap-4">
        {dataset !== null && (
          <p className="text-sm">
            {t('list.onlyDataset')} <TextLink to="/runs">{t('list.all')}</TextLink>
          </p>
        )}
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
              <p className="text-muted-foreground text-sm">{t('list.pickTwo')}</p>
              {dataset !== null && <DatasetTrend runs={items} />}
              <RunTable runs={items} picked={picked} onPick={setPicked} />
            </>
          )}
        </PagedList>
      </div>
    </>
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
      <Button variant="primary" disabled>
        {label}
      </Button>
    )
  return (
    <ButtonLink variant="primary" to={compareAddress({ baseline, others })}>
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
        {
          header: t('list.name'),
          cell: ({ run }) => (
            <TextLink to={`/runs/${run.id}`} className="inline-block min-w-36">
              {run.name}
            </TextLink>
          ),
        },
        { header: t('means.mean'), cell: ({ value }) => figure(value), numeric: true },
        { header: t('means.interval'), cell: (point) => interval(point.interval), numeric: true },
        { header: t('trend.setting'), cell: ({ setting }) => setting },
        { header: t('list.when'), cell: ({ run }) => moment(run.created_at), nowrap: true },
      ]}
      rows={points.toReversed()}
      rowKey={({ run }) => run.id}
    />
  )
}
