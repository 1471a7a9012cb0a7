import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data, queries } from '@/lib/api'
import { pause } from '@/lib/pause'

const LIMITS_POLL_MS = 30_000
const PAUSED_POLL_MS = 5_000
// A judge that still does not work is paused again once an answer that waited has been tried.
const WATCHED_SECONDS = 8

const pausedQuery = queries.queryOptions('get', '/judges/paused')

export const usePausedJudges = () =>
  queries.useQuery('get', '/judges/paused', undefined, { refetchInterval: PAUSED_POLL_MS })

export const useJudgeLimits = () =>
  queries.useQuery('get', '/judges/limits', undefined, { refetchInterval: LIMITS_POLL_MS })

export const useModelEndings = () => queries.useQuery('get', '/judges/endings')

/** Resumes a judge and watches it for some seconds; answers with its new pause if there is one. */
export function useResumeJudge() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (judge: string) => {
      const params = { path: { judge_model: judge } }
      await data(api.POST('/judges/{judge_model}/resume', { params }))
      for (let second = 0; ; second++) {
        const paused = await client.query({ ...pausedQuery, staleTime: 0 })
        const again = paused.find(({ judge_model }) => judge_model === judge)
        if (again || second === WATCHED_SECONDS) return again
        await pause(1000)
      }
    },
    onError: () => client.invalidateQueries(pausedQuery),
  })
}
