import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'

import { invalidate, useChange } from '@/hooks/useChange'
import { api, data, PAGED, queries, type Schema } from '@/lib/api'
import { browserTimeZone } from '@/lib/days'

export type QueryName =
  | 'daily-quality'
  | 'period-comparison'
  | 'confidence-mix'
  | 'claim-support'
  | 'verdict-latency'
  | 'judge-cost'
  | 'worst-notes'
  | 'frequent-issues'
  | 'judge-reliability'
  | 'criterion-scores'
  | 'by-release'

export type Column = Schema<'AnalyticsColumn'>
export type Row = Record<string, unknown>
export type Result = Schema<'AnalyticsResult'>

export interface Filters {
  since: string
  until: string
  model?: string | undefined
  notebook_id?: string | undefined
  app_version?: string | undefined
  environment?: string | undefined
  tag?: string | undefined
}

/** What is sent: days are those of the reader's clock. */
export function queryOf({ since, until, model, ...attributes }: Filters) {
  return {
    since,
    until,
    tz: browserTimeZone(),
    ...(model && { model }),
    ...given(attributes),
  }
}

/** Those that have a text. */
export function given<Name extends string>(filters: Partial<Record<Name, string | undefined>>) {
  const found = Object.entries(filters).filter(([, text]) => text)
  return Object.fromEntries(found) as Partial<Record<Name, string>>
}

export const useAnalytics = (name: QueryName, filters: Filters) =>
  queries.useQuery(
    'get',
    '/analytics/{name}',
    { params: { path: { name }, query: queryOf(filters) } },
    { placeholderData: keepPreviousData },
  )

export type Corrected = Schema<'TrueQualityRow'>
export type By = Schema<'TrueQualityResult'>['by']

/** Means corrected by the labels of answers that were drawn at random. */
export const useTrueQuality = (by: By, filters: Filters) =>
  queries.useQuery(
    'get',
    '/analytics/true-quality',
    { params: { query: { ...queryOf(filters), by } } },
    { placeholderData: keepPreviousData },
  )

export type Release = Schema<'Release'>

/** Each release beside the one before it. */
export const useReleases = (filters: Filters) =>
  queries.useQuery(
    'get',
    '/analytics/releases',
    { params: { query: queryOf(filters) } },
    { placeholderData: keepPreviousData },
  )

export type Changed = NonNullable<Schema<'WhatChangedResult'>['changed']>

/** The newest day beside those before it. */
export const useWhatChanged = (filters: Filters) =>
  queries.useQuery(
    'get',
    '/analytics/what-changed',
    { params: { query: queryOf(filters) } },
    { placeholderData: keepPreviousData },
  )

/** The three scored answers with the lowest correctness. of: further filters of the list. */
export function useWorst({ since, until, model, ...same }: Filters, of: Record<string, string>) {
  const query = {
    ...{ first_day: since, last_day: until, tz: browserTimeZone() },
    ...({ current: true, outcome: 'scored', order: 'worst', limit: 3 } as const),
    ...(model && { judge_model: model }),
    ...given(same),
    ...of,
  }
  return queries.useQuery('get', '/qa-evaluations', { params: { query } })
}

/** The same rows as a file. */
export function fileAddress(name: QueryName, filters: Filters): string {
  return `/analytics/${name}?${new URLSearchParams({ ...queryOf(filters), format: 'csv' })}`
}

export type Alarm = Schema<'QualityAlarm'>
export type Cause = Schema<'Cause'>

/** Changes of quality that were noticed, the newest first. */
export const useAlarms = () => queries.useQuery('get', '/analytics/alarms')

export function useAcknowledge() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (alarm_id: string) =>
      data(
        api.POST('/analytics/alarms/{alarm_id}/acknowledge', { params: { path: { alarm_id } } }),
      ),
    onSettled: () => invalidate(client, ['/analytics/alarms']),
  })
}

export type Failure = Schema<'RecurringFailureRead'>
type FailureChange = Schema<'FailureUpdate'>
export const STATES = ['open', 'mended', 'ignored'] as const satisfies readonly Failure['state'][]

const ofFailure = (failure_id: string) => ({ params: { path: { failure_id } } })

/** Doubted answers in groups, the largest first. state: '' for any. once: also those with one
 * answer. */
export const useFailures = (filters: Filters, state: Failure['state'] | '', once: boolean) =>
  queries.useInfiniteQuery(
    'get',
    '/failures',
    {
      params: {
        query: { ...queryOf(filters), ...(state && { state }), ...(once && { min_answers: 1 }) },
      },
    },
    { ...PAGED, placeholderData: keepPreviousData },
  )

export const useFailure = (id: string) =>
  queries.useQuery('get', '/failures/{failure_id}', ofFailure(id))

export const useChangeFailure = (id: string) =>
  useChange(
    (body: FailureChange) => data(api.PATCH('/failures/{failure_id}', { ...ofFailure(id), body })),
    ['/failures*'],
  )
