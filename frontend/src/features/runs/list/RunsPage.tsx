import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'

import { EmptyState, ErrorState, PageHeader } from '@/components/page'
import { Button, Spinner } from '@/components/ui'

import { useRuns, type Run } from '../api/runs'
import { compareAddress } from '../compare/chosenRuns'

import { DatasetTrend } from './DatasetTrend'
import { RunTable } from './RunTable'

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
            {t('list.onlyDataset')}{' '}
            <Link className="text-primary underline underline-offset-2" to="/runs">
              {t('list.all')}
            </Link>
          </p>
        )}
        {runs.isPending && <Spinner />}
        {runs.error && <ErrorState error={runs.error} onRetry={() => runs.refetch()} />}
        {runs.data && found.length === 0 && (
          <EmptyState
            title={t(dataset === null ? 'list.empty' : 'list.noMatch')}
            text={t('list.emptyText')}
          >
            <Button asChild variant="outline">
              <Link to="/datasets">{t('list.toDatasets')}</Link>
            </Button>
          </EmptyState>
        )}
        {found.length > 0 && (
          <>
            <p className="text-muted-foreground text-sm">{t('list.pickTwo')}</p>
            {dataset !== null && <DatasetTrend runs={found} />}
            <RunTable runs={found} picked={picked} onPick={setPicked} />
          </>
        )}
        {runs.hasNextPage && (
          <Button
            variant="outline"
            className="justify-self-center"
            disabled={runs.isFetchingNextPage}
            onClick={() => void runs.fetchNextPage()}
          >
            {t('common:more')}
          </Button>
        )}
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
  if (baseline === undefined || others.length === 0) return <Button disabled>{label}</Button>
  return (
    <Button asChild>
      <Link to={compareAddress({ baseline, others })}>{label}</Link>
    </Button>
  )
}
