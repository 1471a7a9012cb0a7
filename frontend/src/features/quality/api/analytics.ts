import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'
import { browserTimeZone } from '@/lib/days'

export type QueryName =
  | 'daily-quality'
  | 'period-comparison'
  | 'confidence-mix'
  | 'verdict-latency'
  | 'judge-cost'
  | 'worst-notes'
  | 'frequent-issues'
  | 'judge-reliability'

export type Column = Schema<'AnalyticsColumn'>
export type Row = Record<string, unknown>
export type Result = Schema<'AnalyticsResult'>

export interface Filters {
  since: string
  until: string
  model?: string | undefined
  notebook_id?: string | undefined
}

/** What is sent: days are those of the reader's clock. */
export function queryOf({ since, until, model, notebook_id }: Filters) {
  return {
    since,
    until,
    tz: browserTimeZone(),
    ...(model && { model }),
    ...(notebook_id && { notebook_id }),
  }
}

function analyticsQuery(name: QueryName, filters: Filters) {
  const query = queryOf(filters)
  return queryOptions({
    queryKey: ['analytics', name, query],
    queryFn: ({ signal }): Promise<Result> =>
      data(api.GET('/analytics/{name}', { params: { path: { name }, query }, signal })),
    placeholderData: keepPreviousData,
  })
}

export function useAnalytics(name: QueryName, filters: Filters) {
  return useQuery(analyticsQuery(name, filters))
}

/** The same rows as a file. */
export function fileAddress(name: QueryName, filters: Filters): string {
  return `/analytics/${name}?${new URLSearchParams({ ...queryOf(filters), format: 'csv' })}`
}
