import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'
import { isFinal } from '@/lib/verdict'

export type Trial = Schema<'TrialView'>
export type NewTrial = Schema<'TrialCreate'>

const POLL_MS = 700

/** The answer's trials, newest first, looked at again while one is under way. */
const trialsQuery = (evaluation_id: string) =>
  queryOptions({
    queryKey: ['judge-trials', evaluation_id],
    queryFn: ({ signal }) =>
      data(
        api.GET('/qa-evaluations/{evaluation_id}/trials', {
          params: { path: { evaluation_id } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => !isFinal(status)) ? POLL_MS : false,
  })

export const useTrials = (evaluationId: string) => useQuery(trialsQuery(evaluationId))

export function useStartTrial() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: NewTrial) => data(api.POST('/judge-trials', { body })),
    onSuccess: ({ evaluation_id }) =>
      queries.invalidateQueries({ queryKey: trialsQuery(evaluation_id).queryKey }),
  })
}
