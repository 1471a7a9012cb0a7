import { addDays } from '@/lib/days'

import {
  type Alarm,
  type By,
  type Cause,
  type Filters,
  given,
  type QueryName,
  type Row,
} from './api/analytics'
import links from './drill.json'
import { numberOf, textOf } from './values'

interface Links {
  /** Filters of the list that every row of the query sets. A value `$x` is column x of the row. */
  each: Record<string, string>
  /** Those that a figure of the row adds. */
  counts: Record<string, Record<string, string>>
}

const LINKS: Partial<Record<QueryName, Links>> = links.charts

/** The list of evaluations by these filters; undefined where one of them has no value. Of two
 * values for one name the last one counts. */
function listed(...filters: Record<string, string | undefined>[]): string | undefined {
  const query = { order: 'worst', current: 'all', ...Object.assign({}, ...filters) } as Record<
    string,
    string
  >
  if (Object.values(query).some((value) => !value)) return undefined
  return `/evaluations?${new URLSearchParams(query)}`
}

function narrowed({ since, until, model, ...same }: Filters): Record<string, string> {
  return {
    since,
    until,
    ...(model && { judge_model: model }),
    ...given(same),
  }
}

/** The evaluations that a figure of a row counts, the worst first; undefined for a figure that
 * counts none. */
export function behind(
  query: QueryName,
  figure: string,
  row: Row,
  filters: Filters,
): string | undefined {
  const of = LINKS[query]
  const more = of?.counts[figure]
  if (!of || !more) return undefined
  const values = { ...row, note: textOf(row, 'note_ids') || textOf(row, 'title') }
  const filled = Object.entries({ ...of.each, ...more }).map(([name, value]) => [
    name,
    value.startsWith('$') ? textOf(values, value.slice(1)) : value,
  ])
  return listed(narrowed(filters), Object.fromEntries(filled) as Record<string, string>)
}

/** The same of a column that a table shows; undefined where it is 0 or no count. */
export function behindCell(query: QueryName, column: string, row: Row, filters: Filters) {
  return (numberOf(row, column) ?? 0) > 0 ? behind(query, column, row, filters) : undefined
}

/** Filters of the list by what corrected means are grouped by. */
const GROUPS: Partial<Record<By, string>> = {
  judge: 'made_by',
  model: 'answer_model',
  lang: 'lang',
  notebook: 'notebook_id',
  app_version: 'app_version',
  environment: 'environment',
}

/** The scored answers of a release, in one language where it is named. */
export function behindRelease(app_version: string, filters: Filters, lang?: string) {
  const base = { ...narrowed(filters), current: 'true', outcome: 'scored', app_version }
  return listed(base, lang ? { lang } : {})
}

/** The answers whose mean is corrected by labels. */
export function behindGroup(by: By, group: string | null, filters: Filters): string | undefined {
  const base = { ...narrowed(filters), current: 'true', outcome: 'scored' }
  if (by === 'all') return listed(base)
  if (group === null) return undefined
  if (by === 'day' || by === 'week') {
    const last = by === 'day' ? group : addDays(group, 6)
    const since = group < filters.since ? filters.since : group
    return listed(base, { since, until: last > filters.until ? filters.until : last })
  }
  const filter = GROUPS[by]
  return filter && listed(base, { [filter]: group })
}

/** Outcomes that a series is about, and filters of the list by what differs. */
const SERIES: Record<Alarm['series'], string> = links.alarms.series
const DIMENSIONS: Record<Exclude<Cause['dimension'], 'reason'>, string> = links.alarms.dimensions

export function ofCause({ dimension, value }: Cause): Record<string, string> {
  if (dimension !== 'reason') return { [DIMENSIONS[dimension]]: value }
  if (value === 'degraded') return { degraded: 'true' }
  // What was not skipped has a state instead of a reason.
  const isStatus = ['failed', 'queued', 'running', 'retrying'].includes(value)
  return isStatus ? { status: value } : { status: 'skipped', reason: value }
}

/** The scored answers of the filters, those of a cause where one is given. */
export function behindDay(filters: Filters, cause?: Cause): string | undefined {
  const base = { ...narrowed(filters), current: 'true', outcome: 'scored' }
  return listed(base, cause ? ofCause(cause) : {})
}

/** The answers behind an alarm since the change, or those of one of its causes. Days are those of
 * the workspace's time zone. */
export function behindAlarm(alarm: Alarm, tz: string, cause?: Cause): string | undefined {
  const { judge_model, series, began_on, noticed_on } = alarm
  return listed(
    { since: began_on, until: noticed_on, tz, judge_model, current: 'true' },
    { outcome: SERIES[series] },
    cause ? ofCause(cause) : {},
  )
}
