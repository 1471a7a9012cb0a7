import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'

import { api, data } from '@/lib/api'

const LATEST = 10
/** How many labelled answers a prompt is tried on. */
export const LABELLED = 50

const latestQuery = queryOptions({
  queryKey: ['qa-evaluations', 'to-try'],
  queryFn: async ({ signal }) => {
    const query = { limit: LATEST }
    return (await data(api.GET('/qa-evaluations', { params: { query }, signal }))).items
  },
})

/** The latest answers. */
export const useLatest = () => useQuery(latestQuery)

/** The judge of the workspace's policy, `provider:model`. */
export function usePolicyJudge() {
  return useQuery({
    queryKey: ['settings', 'judge'],
    queryFn: async ({ signal }) => {
      const { effective } = await data(api.GET('/settings/evaluation', { signal }))
      return { model: effective.judge_model ?? '', prompt: effective.judge_prompt ?? '' }
    },
  })
}

/** A prompt beside the verdicts that readers got. */
function formOf(judges: readonly string[]): FormData {
  const form = new FormData()
  for (const judge of judges) form.append('judges', judge)
  form.set('limit', String(LABELLED))
  return form
}

export function useLabelledEstimate() {
  return useMutation({
    mutationFn: (judges: string[]) =>
      data(
        api.POST('/evaluation/judge-benches/estimate', {
          body: { judges },
          bodySerializer: () => formOf(judges),
        }),
      ),
  })
}

export function useTryOnLabelled() {
  return useMutation({
    mutationFn: ({ name, judges }: { name: string; judges: string[] }) => {
      const body = { name, judges, limit: LABELLED, seed: 0, threshold: 0.5, judge_spans: true }
      return data(api.POST('/evaluation/judge-benches', { body }))
    },
  })
}
