import { useTranslation } from 'react-i18next'

import { type Column, WideTable } from '@/components/page'
import { Card, CardTitle, Spinner, TextLink } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { useBaselineComparison, type BaselineComparison } from '../api/comparisons'
import { count, figure, signed } from '../figures'

import { Caveat, NotCompared, Outcome, Refused } from './NotCompared'
import { Settings } from './Settings'
import { compareAddress } from './chosenRuns'
import { metricName } from './metricName'

type Row = Schema<'MetricRow'>
type Mark = Row['baseline_mark']

const NAME_CHARS = 20

/** Up to six runs against their baseline. */
export function Several({ baseline, others }: { baseline: string; others: readonly string[] }) {
  const { t } = useTranslation('runs')
  const { data, error, refetch } = useBaselineComparison(baseline, others)
  if (error) return <Refused error={error} onRetry={() => refetch()} />
  if (!data) return <Spinner />
  const unread = Math.max(0, ...data.metrics.map((row) => row.unread))
  return (
    <>
      {data.runs.map((run) => (
        <NotCompared key={run.id} of={run.not_compared} run={run.name} />
      ))}
      {data.runs.map(
        (run) =>
          run.notes_changed > 0 && (
            <Caveat key={run.id}>
              <strong>{run.name}: </strong>
              {t('compare.notesChanged', { count: run.notes_changed })}
            </Caveat>
          ),
      )}
      {unread > 0 && <Caveat>{t('compare.unread', { count: unread })}</Caveat>}
      {data.metrics.length === 0 ? (
        <p role="alert">{t('compare.noPairs')}</p>
      ) : (
        <Table comparison={data} />
      )}
      <Settings runs={[data.baseline, ...data.runs]} />
    </>
  )
}

function Table({ comparison: { baseline, runs, metrics } }: { comparison: BaselineComparison }) {
  const { t } = useTranslation('runs')
  const columns: Column<Row>[] = [
    [
      t('compare.metric'),
      ({ name }) => <span className="inline-block min-w-28">{metricName(name, t)}</span>,
    ],
    [t('compare.pairs'), ({ cases }) => count(cases), 'numeric'],
    [
      `${shortName(baseline.name)} (${t('compare.baseline')})`,
      (row) => <Mean value={row.baseline} mark={row.baseline_mark} />,
      'numeric',
    ],
    ...runs.map((run): Column<Row> => [
      shortName(run.name),
      (row) => <Cell difference={row.runs.find(({ run_id }) => run_id === run.id)} />,
      'numeric',
    ]),
  ]
  return (
    <Card className="min-w-0">
      <CardTitle className="mb-1">{t('compare.against')}</CardTitle>
      <p className="text-muted-foreground mb-3 text-sm">{t('compare.againstLead')}</p>
      <WideTable caption={t('compare.against')} columns={columns} rows={metrics} />
      <h3 className="mt-4 mb-1 text-sm font-medium">{t('compare.oneByOne')}</h3>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {runs.map((run) => (
          <li key={run.id}>
            <TextLink to={compareAddress({ baseline: baseline.id, others: [run.id] })}>
              {run.name}
            </TextLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Mean({ value, mark }: { value: number; mark: Mark }) {
  const { t } = useTranslation('runs')
  return (
    <>
      {mark && <span className="text-muted-foreground text-xs">{t(`compare.marks.${mark}`)} </span>}
      <strong>{figure(value)}</strong>
    </>
  )
}

function Cell({ difference }: { difference: Row['runs'][number] | undefined }) {
  const { t } = useTranslation('runs')
  if (!difference)
    return <span className="text-muted-foreground">{t('compare.notComparable')}</span>
  const { mean, mark, low, high } = difference
  return (
    <span className="grid justify-items-end gap-1">
      <span>
        <Mean value={mean} mark={mark} />
      </span>
      <span>
        {signed(difference.difference)}{' '}
        {low !== null && high !== null && (
          <span className="text-muted-foreground text-xs">
            ({signed(low)} … {signed(high)})
          </span>
        )}
      </span>
      <Outcome of={difference} />
    </span>
  )
}

/** For the head of a column; the whole name stands above the table. */
function shortName(name: string): string {
  return name.length > NAME_CHARS ? `${name.slice(0, NAME_CHARS)}…` : name
}
