import { useTranslation } from 'react-i18next'

import { Spinner } from '@/components/ui'

import { usePair } from '../api/comparisons'
import { useRun } from '../api/runs'

import { Cases } from './Cases'
import { Differences } from './Differences'
import { Caveat, NotCompared, Refused } from './NotCompared'
import { Settings, type RunSettings } from './Settings'

/** Two runs, the second against the first, with their questions one by one. */
export function Pair({ first, second }: { first: string; second: string }) {
  const { t } = useTranslation('runs')
  const a = useRun(first)
  const b = useRun(second)
  const { data, error, refetch } = usePair(first, second)
  if (error) return <Refused error={error} onRetry={() => refetch()} />
  if (!data) return <Spinner />
  const unread = data.differences.filter(({ unread: cases }) => cases > 0)
  const runs: RunSettings[] =
    a.data && b.data
      ? [
          { ...a.data, cost_usd: data.first_cost_usd, latency_ms: data.first_latency_ms },
          { ...b.data, cost_usd: data.second_cost_usd, latency_ms: data.second_latency_ms },
        ]
      : []
  return (
    <>
      <NotCompared of={data.not_compared} />
      {data.only_first + data.only_second > 0 && (
        <Caveat>{t('compare.only', { first: data.only_first, second: data.only_second })}</Caveat>
      )}
      {data.notes_changed > 0 && (
        <Caveat>{t('compare.notesChanged', { count: data.notes_changed })}</Caveat>
      )}
      {unread.length > 0 && (
        <Caveat>
          {t('compare.unread', { count: Math.max(...unread.map(({ unread: cases }) => cases)) })}
        </Caveat>
      )}
      {data.differences.length === 0 ? (
        <p role="alert">{t('compare.noPairs')}</p>
      ) : (
        <Differences differences={data.differences} />
      )}
      <Cases first={first} second={second} />
      {runs.length > 0 && <Settings runs={runs} />}
    </>
  )
}
