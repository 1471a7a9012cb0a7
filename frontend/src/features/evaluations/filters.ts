import type { paths } from '@/api/schema'
import { browserTimeZone, isDay } from '@/lib/days'

export type ListQuery = NonNullable<paths['/qa-evaluations']['get']['parameters']['query']>

/** What can be chosen. */
export const CHOICES = {
  status: ['queued', 'running', 'retrying', 'succeeded', 'failed', 'skipped'],
  outcome: [
    ...(['asked', 'scored', 'unscored', 'unrated', 'undecided'] as const),
    ...(['rightly_refused', 'falsely_refused', 'unjudged', 'pending'] as const),
  ],
  fault: ['contradicted', 'not_in_notes', 'misattributed', 'stitched'],
  confidence: ['high', 'medium', 'low'],
  feature: ['search_qa', 'insight', 'writing'],
  lang: ['ko', 'en'],
  judged_by: ['model', 'local', 'rules'],
  degraded: ['true', 'false'],
  from_cache: ['true', 'false'],
  has_issues: ['true', 'false'],
  labelled: ['true', 'false'],
  current: ['true', 'false'],
} as const

export type Choice = keyof typeof CHOICES

/** The keys that the text of a choice may have: its own, a shared one, or that of yes and no. */
export const optionKeys = (choice: Choice, value: string) =>
  [`options.${choice}.${value}`, `ai:${choice}.${value}`, `options.${value}`] as string[] as [
    'options.true',
  ]

export const NOTES = ['cited_note', 'misquoted_note'] as const
/** What the application said of an answer; `attribute` is one of its own, as key=value. */
export const ATTRIBUTES = [
  ...(['app_version', 'environment', 'user_ref', 'session_id', 'tag', 'attribute'] as const),
] as const
const TEXTS = [
  ...(['question', 'judge_model', 'made_by', 'prompt_version', 'answer_model'] as const),
  ...([
    'failure_id',
    'reason',
    'issue_kind',
    'notebook_id',
    'criterion',
    'criterion_label',
  ] as const),
  ...ATTRIBUTES,
  ...NOTES,
] as const
export const SCORES = [
  ...(['min_correctness', 'max_correctness', 'correctness_below'] as const),
  ...(['min_utility', 'max_utility', 'min_criterion', 'max_criterion'] as const),
] as const
export const OF_CRITERION = ['criterion_label', 'min_criterion', 'max_criterion'] as const
/** `tz` is the time zone of the days; that of the reader's clock where there is none. */
export const DAYS = ['since', 'until', 'tz'] as const
export const FILTERS = [
  ...(Object.keys(CHOICES) as Choice[]),
  ...TEXTS,
  ...SCORES,
  ...DAYS,
] as const
export type Filter = (typeof FILTERS)[number]
export const ORDERS = ['newest', 'worst', 'slowest', 'costliest'] as const

export function isScore(text: string): boolean {
  return text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The time zone that an address names for its days. */
export function zoneOf(params: URLSearchParams): string {
  const tz = params.get('tz')
  return tz && isTimeZone(tz) ? tz : browserTimeZone()
}

/** What is asked of the API for an address. What makes no sense there is left out. Days are those
 * of the answer, the last one included. */
export function queryOf(params: URLSearchParams): ListQuery {
  const query: Record<string, string> = {}
  for (const [name, allowed] of Object.entries(CHOICES)) {
    const value = params.get(name)
    if (value && (allowed as readonly string[]).includes(value)) query[name] = value
  }
  // A score of no criterion.
  const unnamed: readonly string[] = params.get('criterion') ? [] : OF_CRITERION
  for (const name of TEXTS) {
    const value = params.get(name)
    if (value && !unnamed.includes(name)) query[name] = value
  }
  for (const name of SCORES) {
    const value = params.get(name)
    if (value && isScore(value) && !unnamed.includes(name)) query[name] = value
  }
  const [since, until] = [params.get('since'), params.get('until')]
  if (isDay(since)) query.first_day = since
  if (isDay(until)) query.last_day = until
  if (query.first_day || query.last_day) query.tz = zoneOf(params)
  const order = ORDERS.find((each) => each === params.get('order'))
  if (order && order !== 'newest') query.order = order
  // All of them are texts in an address, whatever their type is.
  return query
}

/** `current` of an address that wants replaced verdicts too; without any it wants none of them. */
export const REPLACED_TOO = 'all'

/** What the list shows of an address. */
export function listedBy(params: URLSearchParams): ListQuery {
  if (params.get('current')) return queryOf(params)
  return queryOf(new URLSearchParams([...params, ['current', 'true']]))
}

/** How many filters an address has. */
export function countOf(params: URLSearchParams): number {
  return FILTERS.filter((name) => name !== 'tz' && name !== 'current' && params.get(name)).length
}

/** All verdicts that match, as a file. */
export function exportAddress(query: ListQuery, format: 'csv' | 'jsonl'): string {
  const given = Object.entries(query)
    .filter(([name]) => name !== 'order')
    .map(([name, value]) => [name, String(value)])
  return `/qa-evaluations/export?${new URLSearchParams([...given, ['format', format]])}`
}
