import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'

import { queryOf, type Filters } from './analytics'

export type Corrected = Schema<'TrueQualityRow'>
export type By = Schema<'TrueQualityResult'>['by']

/** Means corrected by the labels of answers that were drawn at random. */
export function useTrueQuality(by: By, filters: Filters) {
  const query = { ...queryOf(filters), by }
  return useQuery({
    queryKey: ['true-quality', query],
    queryFn: ({ signal }) =>
      data(api.GET('/analytics/true-quality', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })
}
