import type { TFunction } from 'i18next'

const NAMES = [
  'precision_at_k',
  'recall_at_k',
  'hit_rate_at_k',
  'mrr',
  'map',
  'ndcg_at_k',
  'mean_faithfulness',
  'mean_answer_relevancy',
] as const

/** The name of a compared mean; as the API calls it where we know no better. */
export function metricName(name: string, t: TFunction<'runs'>): string {
  const known = NAMES.find((one) => one === name)
  return known ? t(`metrics.${known}`) : name
}
