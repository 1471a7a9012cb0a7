import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'

import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { PageHeader } from '@/components/PageHeader'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'

import { useRuns, type Run } from '../api/runs'

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

/** The older run is the one that the newer is measured against. */
function CompareButton({ picked, runs }: { picked: readonly string[]; runs: readonly Run[] }) {
  const { t } = useTranslation('runs')
  const [newer, older] = runs.filter(({ id }) => picked.includes(id))
  if (!newer || !older) return <Button disabled>{t('list.compare')}</Button>
  return (
    <Button asChild>
      <Link to={`/runs/compare?a=${older.id}&b=${newer.id}`}>{t('list.compare')}</Link>
    </Button>
  )
}
