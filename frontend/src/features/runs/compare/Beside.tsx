import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { Card, CardTitle } from '@/components/ui/card'
import type { Schema } from '@/lib/api'
import { judgeName } from '@/lib/judge'

import { WideTable } from '../WideTable'
import type { Run } from '../api/runs'
import { dollars, milliseconds, moment } from '../figures'

interface Props {
  comparison: Schema<'Comparison'>
  first: Run | undefined
  second: Run | undefined
}

/** The runs with their cost and latency, side by side. */
export function Beside({ comparison, first, second }: Props) {
  const { t } = useTranslation('runs')
  const { t: ai } = useTranslation('ai')
  const rows = [
    {
      name: t('compare.first'),
      of: comparison.first_name,
      id: comparison.first_id,
      run: first,
      retrieval: comparison.first_retrieval,
      cost: comparison.first_cost_usd,
      latency: comparison.first_latency_ms,
    },
    {
      name: t('compare.second'),
      of: comparison.second_name,
      id: comparison.second_id,
      run: second,
      retrieval: comparison.second_retrieval,
      cost: comparison.second_cost_usd,
      latency: comparison.second_latency_ms,
    },
  ]
  return (
    <Card>
      <CardTitle>{t('compare.beside')}</CardTitle>
      <WideTable
        caption={t('compare.beside')}
        columns={[
          {
            key: 'name',
            header: t('compare.what'),
            cell: ({ name, of, id }) => (
              <Link className="text-primary underline underline-offset-2" to={`/runs/${id}`}>
                {name}: {of}
              </Link>
            ),
          },
          {
            key: 'dataset',
            header: t('list.dataset'),
            cell: ({ run }) => run && `${run.dataset_name} v${run.dataset_version} · k=${run.k}`,
          },
          {
            key: 'when',
            header: t('list.when'),
            cell: ({ run }) => run && moment(run.created_at),
            nowrap: true,
          },
          {
            key: 'retrieval',
            header: t('compare.retrieval'),
            cell: ({ retrieval }) => t(`retrievals.${retrieval}`),
          },
          {
            key: 'judge',
            header: t('detail.judgeModel'),
            cell: ({ run }) =>
              run?.evaluation_type === 'full_rag' ? judgeName(ai, run.judge_model) : '–',
          },
          {
            key: 'cost',
            header: t('means.cost'),
            cell: ({ cost }) => dollars(cost),
            numeric: true,
          },
          {
            key: 'latency',
            header: t('means.latency'),
            cell: ({ latency }) => milliseconds(latency),
            numeric: true,
          },
        ]}
        rows={rows}
        rowKey={({ name }) => name}
      />
    </Card>
  )
}
