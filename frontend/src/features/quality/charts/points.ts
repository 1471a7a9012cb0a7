import { daysBetween } from '@/lib/days'

import type { Filters, Row } from '../api/analytics'
import { numberOf, textOf } from '../values'

import type { Point } from './series'

/** A point for each day of the period. Days that the query has no row for stay empty: nobody
 * knows what the quality of no answers is. */
export function byDay(
  rows: readonly Row[],
  { since, until }: Filters,
  values: (row: Row) => Record<string, number | null>,
): Point[] {
  const known = new Map(rows.map((row) => [textOf(row, 'day'), row]))
  return daysBetween(since, until).map((day) => {
    const row = known.get(day)
    return { ...(row && values(row)), day }
  })
}

/** The row of a day, or of a day and a model. */
export function rowOf(rows: readonly Row[], day: string, model?: string): Row | undefined {
  return rows.find(
    (row) =>
      textOf(row, 'day') === day && (model === undefined || textOf(row, 'judge_model') === model),
  )
}

/** The same of rows that are of a day and a model, or another column `of`: the first model's values
 * are `m0`, and so on. */
export function byDayAndModel(
  rows: readonly Row[],
  filters: Filters,
  name: string,
  of = 'judge_model',
) {
  const models = [...new Set(rows.map((row) => textOf(row, of)))]
  const points = new Map(byDay([], filters, () => ({})).map((point) => [point.day, point]))
  for (const row of rows) {
    const point = points.get(textOf(row, 'day'))
    if (point) point[`m${models.indexOf(textOf(row, of))}`] = numberOf(row, name)
  }
  return { models, points: [...points.values()] }
}
