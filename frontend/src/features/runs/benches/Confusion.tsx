import { useTranslation } from 'react-i18next'

import { DataTable } from '@/components/page'
import type { Schema } from '@/lib/api'

import { count } from '../figures'

interface Props {
  judge: string
  counts: Schema<'Confusion'>
}

/** What people said against what the judge said. */
export function Confusion({ judge, counts }: Props) {
  const { t } = useTranslation('runs')
  const rows = [
    {
      said: t('benches.hallucinated'),
      positive: counts.true_positives,
      negative: counts.false_negatives,
    },
    {
      said: t('benches.grounded'),
      positive: counts.false_positives,
      negative: counts.true_negatives,
    },
  ]
  return (
    <DataTable
      caption={t('benches.confusionOf', { judge })}
      columns={[
        { key: 'said', header: t('benches.people'), cell: ({ said }) => said },
        {
          key: 'positive',
          header: t('benches.judgeSays', { said: t('benches.hallucinated') }),
          cell: ({ positive }) => count(positive),
          numeric: true,
        },
        {
          key: 'negative',
          header: t('benches.judgeSays', { said: t('benches.grounded') }),
          cell: ({ negative }) => count(negative),
          numeric: true,
        },
      ]}
      rows={rows}
      rowKey={({ said }) => said}
    />
  )
}
