import { useTranslation } from 'react-i18next'

import { Card, CardTitle } from '@/components/ui'
import { judgeName } from '@/lib/judge'

import { WideTable } from '../WideTable'
import type { JudgeDifference } from '../api/benches'
import { count, interval, signed } from '../figures'

/** Judges beside each other, on the answers that both have judged. */
export function JudgePairs({ differences }: { differences: readonly JudgeDifference[] }) {
  const { t } = useTranslation('runs')
  const { t: ai } = useTranslation('ai')
  const title = t('benches.differences')
  return (
    <Card>
      <CardTitle>{title}</CardTitle>
      <WideTable
        caption={title}
        columns={[
          {
            key: 'pair',
            header: t('benches.judges'),
            cell: ({ first, second }) =>
              t('benches.pair', { first: judgeName(ai, first), second: judgeName(ai, second) }),
          },
          {
            key: 'name',
            header: t('means.metric'),
            cell: ({ name }) => t(`benches.metrics.${name as 'f1'}`, { defaultValue: name }),
          },
          {
            key: 'answers',
            header: t('benches.answers'),
            cell: ({ answers }) => count(answers),
            numeric: true,
          },
          {
            key: 'difference',
            header: t('benches.difference'),
            cell: ({ difference }) => (difference === null ? '–' : signed(difference)),
            numeric: true,
          },
          {
            key: 'interval',
            header: t('means.interval'),
            cell: (each) => interval(each.interval),
            numeric: true,
          },
          {
            key: 'significant',
            header: t('benches.significant'),
            cell: ({ significant }) => t(significant ? 'benches.yes' : 'benches.no'),
          },
        ]}
        rows={differences}
        rowKey={({ first, second, name }) => `${first} ${second} ${name}`}
      />
    </Card>
  )
}
