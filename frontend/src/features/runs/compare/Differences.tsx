import { Minus, TrendingDown, TrendingUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import type { Column } from '@/components/DataTable'
import { Badge } from '@/components/ui/badge'
import { Card, CardTitle } from '@/components/ui/card'
import type { Schema } from '@/lib/api'

import { WideTable } from '../WideTable'
import { count, figure, signed } from '../figures'

import { metricName } from './metricName'

type Difference = Schema<'Comparison'>['differences'][number]

export function Differences({ differences }: { differences: readonly Difference[] }) {
  const { t } = useTranslation('runs')
  const columns: Column<Difference>[] = [
    { key: 'name', header: t('compare.metric'), cell: ({ name }) => metricName(name, t) },
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
    { key: 'p', header: t('compare.p'), cell: ({ p_value }) => figure(p_value), numeric: true },
    {
      key: 'pairs',
      header: t('compare.pairs'),
      cell: ({ cases }) => count(cases),
      numeric: true,
    },
    { key: 'verdict', header: t('compare.verdict'), cell: (row) => <Verdict of={row} /> },
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

function Verdict({ of: { significant, difference } }: { of: Difference }) {
  const { t } = useTranslation('runs')
  if (!significant)
    return (
      <Badge>
        <Minus aria-hidden />
        {t('compare.same')}
      </Badge>
    )
  const better = difference > 0
  const Icon = better ? TrendingUp : TrendingDown
  return (
    <Badge variant={better ? 'success' : 'danger'}>
      <Icon aria-hidden />
      {t(better ? 'compare.better' : 'compare.worse')}
    </Badge>
  )
}
