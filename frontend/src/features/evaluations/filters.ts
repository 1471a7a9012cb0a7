import type { paths } from '@/api/schema'
import { addDays, beginningOf, isDay } from '@/lib/days'

export type ListQuery = NonNullable<paths['/qa-evaluations']['get']['parameters']['query']>

/** What can be chosen; the texts are under `filters.options` in the locales. */
export const CHOICES = {
  status: ['queued', 'running', 'retrying', 'succeeded', 'failed', 'skipped'],
  confidence: ['high', 'medium', 'low'],
  feature: ['search_qa', 'insight', 'writing'],
  lang: ['ko', 'en'],
  judged_by: ['model', 'local', 'rules'],
  degraded: ['true', 'false'],
  has_issues: ['true', 'false'],
  labelled: ['true', 'false'],
  current: ['true', 'false'],
} as const

export type Choice = keyof typeof CHOICES
export const TEXTS = ['question', 'judge_model', 'answer_model', 'reason'] as const
export const SCORES = ['min_correctness', 'max_correctness', 'min_utility', 'max_utility'] as const
export const FILTERS = [
  ...(Object.keys(CHOICES) as Choice[]),
  ...TEXTS,
  ...SCORES,
  'since',
  'until',
  'notebook_id',
] as const

function isScore(text: string): boolean {
  return text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1
}

/** What is asked of the API for an address. What makes no sense there is left out. Days are those
 * of the reader's clock, the last one included. */
export function queryOf(params: URLSearchParams): ListQuery {
  const query: Record<string, string> = {}
  for (const [name, allowed] of Object.entries(CHOICES)) {
    const value = params.get(name)
    if (value && (allowed as readonly string[]).includes(value)) query[name] = value
  }
  for (const name of [...TEXTS, 'notebook_id']) {
    const value = params.get(name)
    if (value) query[name] = value
  }
  for (const name of SCORES) {
    const value = params.get(name)
    if (value && isScore(value)) query[name] = value
  }
  const [since, until] = [params.get('since'), params.get('until')]
  if (isDay(since)) query.since = beginningOf(since)
  if (isDay(until)) query.until = beginningOf(addDays(until, 1))
  if (params.get('order') === 'worst') query.order = 'worst'
  // All of them are texts in an address, whatever their type is.
  return query
}

/** How many filters an address has. */
export function countOf(params: URLSearchParams): number {
  return FILTERS.filter((name) => params.get(name)).length
}

/** All verdicts that match, as a file. */
export function exportAddress(query: ListQuery, format: 'csv' | 'jsonl'): string {
  const given = Object.entries(query)
    .filter(([name]) => name !== 'order')
    .map(([name, value]) => [name, String(value)])
  return `/qa-evaluations/export?${new URLSearchParams([...given, ['format', format]])}`
}
