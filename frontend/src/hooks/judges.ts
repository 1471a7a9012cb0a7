import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '@/lib/api'
import { pause } from '@/lib/pause'

const LIMITS_LOOK_MS = 30_000
const PAUSED_LOOK_MS = 5_000
// A judge that still does not work is paused again once an answer that waited has been tried.
const WATCHED_SECONDS = 8

const pausedQuery = queryOptions({
  queryKey: ['judges', 'paused'],
  queryFn: ({ signal }) => data(api.GET('/judges/paused', { signal })),
})

export const usePausedJudges = () => useQuery({ ...pausedQuery, refetchInterval: PAUSED_LOOK_MS })

export const useJudgeLimits = () =>
  useQuery({
    queryKey: ['judges', 'limits'],
    queryFn: ({ signal }) => data(api.GET('/judges/limits', { signal })),
    refetchInterval: LIMITS_LOOK_MS,
  })

/** Resumes a judge and watches it for some seconds; answers with its new pause if there is one. */
export function useResumeJudge() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (judge: string) => {
      const params = { path: { judge_model: judge } }
      await data(api.POST('/judges/{judge_model}/resume', { params }))
      const paused = () => queries.query({ ...pausedQuery, staleTime: 0 })
      for (let second = 0; ; second++) {
        const again = (await paused()).find(({ judge_model }) => judge_model === judge)
        if (again || second === WATCHED_SECONDS) return again
        await pause(1000)
      }
    },
    onError: () => queries.invalidateQueries(pausedQuery),
  })
}
