import { useTranslation } from 'react-i18next'

import { DataTable, Facts } from '@/components/page'
import { Card, CardTitle } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { judgeName } from '@/lib/names'

import type { Run } from '../api/runs'
import { count, dollars, figure, interval, milliseconds } from '../figures'
import { generationOf, JUDGED } from '../generation'

const RETRIEVAL = [
  'precision_at_k',
  'recall_at_k',
  'hit_rate_at_k',
  'mrr',
  'map',
  'ndcg_at_k',
] as const

interface Row {
  name: string
  mean: number
  interval: { low: number; high: number } | null | undefined
  coverage: { parsed: number; total: number }
}

/** The means with their intervals and what they rest on. */
export function Means({ run, summary }: { run: Run; summary: Schema<'RunSummary'> }) {
  const { t } = useTranslation('runs')
  const { metrics } = summary
  const generation = generationOf(run)
  const undecided = generation?.faithfulness.undecided
  const retrieval = metrics
    ? RETRIEVAL.map((key) => ({
        name: t(`metrics.${key}`),
        mean: metrics[key],
        interval: metrics.intervals[key],
        coverage: { parsed: metrics.cases, total: run.cases },
      }))
    : []
  const answers = generation
    ? JUDGED.map((key) => ({
        name: t(`metrics.${key}`),
        mean: generation[key].mean,
        interval: generation[key].interval,
        coverage: generation[key],
      }))
    : []
  const criteria = summary.criteria.flatMap(({ name, version, mean, scored, answers }) => {
    const coverage = { parsed: scored, total: answers }
    return mean === null ? [] : { name: `${name}@${version}`, mean, interval: null, coverage }
  })
  return (
    <div className="grid grid-cols-1 gap-6 2xl:grid-cols-2">
      {retrieval.length > 0 && <MeanTable title={t('means.retrieval')} rows={retrieval} />}
      {answers.length + criteria.length > 0 && (
        <MeanTable
          title={t('means.generation')}
          rows={[...answers, ...criteria]}
          note={t('means.judgedBy', { judge: judgeName(run.judge_model) })}
        />
      )}
      <Facts
        facts={[
          [t('means.failedCases'), count(summary.failed)],
          ...(undecided ? [[t('means.undecided'), count(undecided)] as const] : []),
          [t('means.latency'), milliseconds(summary.mean_latency_ms)],
          [t('means.tokens'), count(tokens(summary))],
          [t('means.cost'), dollars(summary.cost_usd)],
        ]}
      />
    </div>
  )
}

function tokens({ prompt_tokens, completion_tokens }: Schema<'RunSummary'>): number | null {
  return prompt_tokens === null ? null : prompt_tokens + (completion_tokens ?? 0)
}

function MeanTable({ title, rows, note }: { title: string; rows: readonly Row[]; note?: string }) {
  const { t } = useTranslation('runs')
  return (
    <Card>
      <CardTitle>{title}</CardTitle>
      <DataTable
        caption={title}
        columns={[
          [t('means.metric'), ({ name }) => <span className="inline-block min-w-20">{name}</span>],
          [t('means.mean'), ({ mean }) => <strong>{figure(mean)}</strong>, 'numeric'],
          [t('means.interval'), (row) => interval(row.interval), 'numeric'],
          [
            t('means.coverage'),
            ({ coverage: { parsed, total } }) =>
              t('means.coverageText', { parsed: count(parsed), total: count(total) }),
            'numeric',
          ],
        ]}
        rows={rows}
      />
      {note !== undefined && <p className="text-muted-foreground mt-2 text-sm">{note}</p>}
    </Card>
  )
}
