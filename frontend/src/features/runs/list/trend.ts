import type { TFunction } from 'i18next'

import { judgeName } from '@/lib/names'

import type { Run } from '../api/runs'
import { generationOf } from '../generation'

const SEARCH = [
  'recall_at_k',
  'precision_at_k',
  'hit_rate_at_k',
  'mrr',
  'map',
  'ndcg_at_k',
] as const
const ANSWERS = ['faithfulness', 'answer_relevancy'] as const

export const TREND_METRICS = [...SEARCH, ...ANSWERS]
export type TrendMetric = (typeof TREND_METRICS)[number]

/** A mean of a run, 0 to 1, with its 95 % interval. */
export interface TrendPoint {
  run: Run
  value: number
  interval: { low: number; high: number } | null
  /** What the mean depends on, in words: only runs with the same are comparable. */
  setting: string
}

/** The completed runs that measured the metric, oldest first. */
export function trendOf(
  runs: readonly Run[],
  metric: TrendMetric,
  t: TFunction<'runs'>,
): TrendPoint[] {
  return runs
    .filter(({ status }) => status === 'completed')
    .flatMap((run) => {
      const mean = meanOf(run, metric)
      return mean === null ? [] : [{ run, setting: settingOf(run, metric, t), ...mean }]
    })
    .reverse()
}

const isOfAnswers = (metric: TrendMetric) => ANSWERS.some((name) => name === metric)

function meanOf(run: Run, metric: TrendMetric): Pick<TrendPoint, 'value' | 'interval'> | null {
  if (metric === 'faithfulness' || metric === 'answer_relevancy') {
    const judged = generationOf(run)?.[metric]
    return judged ? { value: judged.mean, interval: judged.interval } : null
  }
  const metrics = run.metrics
  return metrics && { value: metrics[metric], interval: metrics.intervals[metric] ?? null }
}

function settingOf(run: Run, metric: TrendMetric, t: TFunction<'runs'>): string {
  if (!isOfAnswers(metric)) return `k=${run.k}`
  const judge = judgeName(run.judge_model)
  return run.prompt_version === null
    ? judge
    : t('trend.judge', { judge, prompt: run.prompt_version })
}
