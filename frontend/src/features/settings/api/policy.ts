import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'

export type Policy = Schema<'WorkspacePolicy'>
export type Field = keyof Policy
export type Settings = Schema<'EvaluationSettings'>

export const policyQuery = queryOptions({
  queryKey: ['settings', 'evaluation'],
  queryFn: ({ signal }) => data(api.GET('/settings/evaluation', { signal })),
  // What is being written must not change under the writer's hands; saving finds other changes.
  staleTime: Infinity,
})

export const usePolicy = () => useQuery(policyQuery)

/** The policy as it is now. */
export function useReadPolicyAgain() {
  const queries = useQueryClient()
  return () => queries.query({ ...policyQuery, staleTime: 0 })
}

/** Replaces the policy of that version; 412 when somebody has changed it meanwhile. */
export function useSavePolicy() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ policy, version }: { policy: Policy; version: number }) =>
      data(
        api.PUT('/settings/evaluation', {
          params: { header: { 'if-match': `"${version}"` } },
          body: policy,
        }),
      ),
    onSuccess: (saved) => queries.setQueryData(policyQuery.queryKey, saved),
  })
}
