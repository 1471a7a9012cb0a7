import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data, queries, type Schema } from '@/lib/api'

export type Policy = Schema<'WorkspacePolicy'>
export type Field = keyof Policy
export type Settings = Schema<'EvaluationSettings'>

const { queryKey } = queries.queryOptions('get', '/settings/evaluation')

/** What is being written must not change under the writer's hands; saving finds other changes. */
export const usePolicy = () =>
  queries.useQuery('get', '/settings/evaluation', undefined, { staleTime: Infinity })

/** The policy as it is now. */
export function useReadPolicyAgain() {
  const client = useQueryClient()
  return () =>
    client.query({ ...queries.queryOptions('get', '/settings/evaluation'), staleTime: 0 })
}

/** Replaces the policy of that version; 412 when somebody has changed it meanwhile. */
export function useSavePolicy() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ policy, version }: { policy: Policy; version: number }) => {
      const params = { header: { 'if-match': `"${version}"` } }
      return data(api.PUT('/settings/evaluation', { params, body: policy }))
    },
    onSuccess: (saved) => client.setQueryData(queryKey, saved),
  })
}

export type OfferedModel = Schema<'OfferedModel'>
export type Forecast = Schema<'PolicyForecast'>

const OFFERED_MS = 300_000

/** Models of the configured servers, as they list them now. */
export const useOfferedModels = () =>
  queries.useQuery('get', '/judges/models', undefined, { staleTime: OFFERED_MS })

/** What a policy would do a day; the last one that is known while another is asked for. */
export const useForecast = (body: Policy) =>
  queries.useQuery(
    'post',
    '/settings/evaluation/forecast',
    { body },
    { placeholderData: keepPreviousData, retry: false, staleTime: OFFERED_MS },
  )
