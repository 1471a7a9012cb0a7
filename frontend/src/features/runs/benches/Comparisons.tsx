import { useTranslation } from 'react-i18next'

import { WideTable } from '@/components/page'
import { Card, CardTitle } from '@/components/ui'
import { currentLanguage } from '@/lib/language'
import { judgeName } from '@/lib/names'

import type { JudgeComparison } from '../api/benches'
import { count, dollars, figure, interval, signed } from '../figures'

/** Which judge agrees more with people, in words first. */
export function Comparisons({ comparisons }: { comparisons: readonly JudgeComparison[] }) {
  const { t } = useTranslation('runs')
  const title = t('benches.comparisons')
  const both = (first: string, second: string) => `${first} · ${second}`
  return (
    <Card className="grid grid-cols-1 gap-4">
      <CardTitle className="mb-0">{title}</CardTitle>
      {comparisons.map(({ first, second, sentence }) => (
        <p key={`${first} ${second}`} className="font-medium">
          {sentence[currentLanguage()]}
        </p>
      ))}
      <WideTable
        caption={title}
        columns={[
          {
            header: t('benches.judges'),
            cell: ({ first, second }) => both(judgeName(first), judgeName(second)),
          },
          { header: t('benches.source'), cell: ({ labels }) => count(labels), numeric: true },
          {
            header: t('benches.agreement'),
            cell: ({ agreement }) => both(figure(agreement.first), figure(agreement.second)),
            numeric: true,
          },
          {
            header: t('benches.difference'),
            cell: ({ agreement }) => signed(agreement.difference),
            numeric: true,
          },
          {
            header: t('means.interval'),
            cell: ({ agreement }) => interval(agreement.interval),
            numeric: true,
          },
          {
            header: t('benches.error'),
            cell: ({ error }) => both(figure(error.first), figure(error.second)),
            numeric: true,
          },
          {
            header: t('benches.errorInterval'),
            cell: ({ error }) => interval(error.interval),
            numeric: true,
          },
          {
            header: t('benches.costs'),
            cell: ({ costs_per_1000_usd: [first, second] }) =>
              both(dollars(first), dollars(second)),
            numeric: true,
          },
        ]}
        rows={comparisons}
        rowKey={({ first, second }) => `${first} ${second}`}
      />
    </Card>
  )
}
