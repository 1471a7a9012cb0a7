import { useTranslation } from 'react-i18next'

import { type Column } from '@/components/page'
import { Card, CardTitle } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { WideTable } from '../WideTable'
import { count, figure, pValue, signed } from '../figures'

import { Outcome } from './Outcome'
import { metricName } from './metricName'

type Difference = Schema<'Comparison'>['differences'][number]

export function Differences({ differences }: { differences: readonly Difference[] }) {
  const { t } = useTranslation('runs')
  const columns: Column<Difference>[] = [
    {
      key: 'name',
      header: t('compare.metric'),
      cell: ({ name }) => <span className="inline-block min-w-28">{metricName(name, t)}</span>,
    },
    { key: 'a', header: 'A', cell: ({ first }) => figure(first), numeric: true },
    { key: 'b', header: 'B', cell: ({ second }) => figure(second), numeric: true },
    {
      key: 'difference',
      header: t('compare.difference'),
      cell: ({ difference }) => <strong>{signed(difference)}</strong>,
      numeric: true,
    },
    {
      key: 'interval',
      header: t('means.interval'),
      cell: ({ low, high }) =>
        low === null || high === null ? '–' : `${signed(low)} … ${signed(high)}`,
      numeric: true,
    },
    { key: 'p', header: t('compare.p'), cell: ({ p_value }) => pValue(p_value), numeric: true },
    {
      key: 'pairs',
      header: t('compare.pairs'),
      cell: ({ cases }) => count(cases),
      numeric: true,
    },
    { key: 'verdict', header: t('compare.verdict'), cell: (row) => <Outcome of={row} /> },
  ]
  return (
    <Card>
      <CardTitle>{t('compare.differences')}</CardTitle>
      <WideTable
        caption={t('compare.differences')}
        columns={columns}
        rows={differences}
        rowKey={({ name }) => name}
      />
    </Card>
  )
}
