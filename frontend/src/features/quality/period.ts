import { addDays, isDay, today, type Day } from '@/lib/days'

export const PRESETS = [7, 30, 90] as const
export const DEFAULT_DAYS = 30

export interface Period {
  since: Day
  until: Day
  /** Which preset it is; null for days of one's own. */
  preset: number | null
}

/** The period that the address names: `days`, or `since` and `until`. What makes no sense there
 * is read as the last 30 days. */
export function periodOf(params: URLSearchParams, now: Day = today()): Period {
  const since = params.get('since')
  const until = params.get('until')
  if (isDay(since) && isDay(until) && since <= until) return { since, until, preset: null }
  const days = PRESETS.find((preset) => String(preset) === params.get('days')) ?? DEFAULT_DAYS
  return { since: addDays(now, 1 - days), until: now, preset: days }
}
