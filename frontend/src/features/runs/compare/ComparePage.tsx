import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'

import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { PageHeader } from '@/components/PageHeader'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'

import { useComparison, useRun } from '../api/runs'

import { Beside } from './Beside'
import { Differences } from './Differences'
import { Flips } from './Flips'
import { NotCompared } from './NotCompared'

export function ComparePage() {
  const { t } = useTranslation('runs')
  const [search] = useSearchParams()
  const first = search.get('a') ?? ''
  const second = search.get('b') ?? ''
  const chosen = first !== '' && second !== ''
  return (
    <>
      <PageHeader title={t('compare.title')} lead={t('compare.lead')}>
        {chosen && (
          <Button asChild variant="outline">
            <Link to={`/runs/compare?a=${second}&b=${first}`}>{t('compare.swap')}</Link>
          </Button>
        )}
      </PageHeader>
      {chosen ? (
        <Compared first={first} second={second} />
      ) : (
        <EmptyState title={t('compare.missing')} text={t('compare.missingText')}>
          <Button asChild variant="outline">
            <Link to="/runs">{t('compare.toRuns')}</Link>
          </Button>
        </EmptyState>
      )}
    </>
  )
}

function Compared({ first, second }: { first: string; second: string }) {
  const { t } = useTranslation('runs')
  const a = useRun(first)
  const b = useRun(second)
  const { data, error, refetch } = useComparison(first, second)
  if (error) return <ErrorState error={error} onRetry={() => refetch()} />
  if (!data) return <Spinner />
  return (
    <div className="grid grid-cols-1 gap-6">
      <Beside comparison={data} first={a.data} second={b.data} />
      <NotCompared comparison={data} />
      {data.only_first + data.only_second > 0 && (
        <p className="bg-warning-soft text-warning-foreground rounded-lg p-4 text-sm">
          {t('compare.only', { first: data.only_first, second: data.only_second })}
        </p>
      )}
      {data.differences.length === 0 ? (
        <p role="alert">{t('compare.noPairs')}</p>
      ) : (
        <>
          <Differences differences={data.differences} />
          <Flips flipped={data.flipped} />
        </>
      )}
    </div>
  )
}
