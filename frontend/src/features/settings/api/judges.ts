import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '@/lib/api'

const KEY = ['judges', 'paused']
const LOOK_MS = 30_000

export const usePausedJudges = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => data(api.GET('/judges/paused', { signal })),
    refetchInterval: LOOK_MS,
  })

export const useJudgeLimits = () =>
  useQuery({
    queryKey: ['judges', 'limits'],
    queryFn: ({ signal }) => data(api.GET('/judges/limits', { signal })),
    refetchInterval: LOOK_MS,
  })

export function useResumeJudge() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (judge: string) =>
      data(api.POST('/judges/{judge_model}/resume', { params: { path: { judge_model: judge } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  })
}
