import { useTranslation } from 'react-i18next'

import { Card, CardTitle } from '@/components/ui/card'
import type { Schema } from '@/lib/api'

import { WideTable } from '../WideTable'
import { figure } from '../figures'

import { metricName } from './metricName'

type Flipped = Schema<'Comparison'>['flipped'][number]

/** Questions that were good in one run and not in the other. */
export function Flips({ flipped }: { flipped: readonly Flipped[] }) {
  const { t } = useTranslation('runs')
  const worse = flipped.filter(({ first, second }) => second < first)
  const better = flipped.filter(({ first, second }) => second >= first)
  return (
    <Card className="grid grid-cols-1 gap-4">
      <CardTitle className="mb-0">{t('compare.flipped')}</CardTitle>
      {flipped.length === 0 && (
        <p className="text-muted-foreground text-sm">{t('compare.noFlips')}</p>
      )}
      <FlipTable title={t('compare.flippedWorse')} rows={worse} />
      <FlipTable title={t('compare.flippedBetter')} rows={better} />
    </Card>
  )
}

function FlipTable({ title, rows }: { title: string; rows: readonly Flipped[] }) {
  const { t } = useTranslation('runs')
  if (rows.length === 0) return null
  return (
    <WideTable
      caption={`${title} (${rows.length})`}
      showCaption
      columns={[
        {
          key: 'question',
          header: t('compare.question'),
          cell: ({ question }) => <span className="line-clamp-3">{question}</span>,
        },
        { key: 'name', header: t('compare.metric'), cell: ({ name }) => metricName(name, t) },
        { key: 'a', header: 'A', cell: ({ first }) => figure(first), numeric: true },
        { key: 'b', header: 'B', cell: ({ second }) => figure(second), numeric: true },
      ]}
      rows={rows}
      rowKey={({ question, name }) => `${name} ${question}`}
    />
  )
}
