import { useMutation } from '@tanstack/react-query'

import { useChange } from '@/hooks/useChange'
import { api, data, queries, type Schema } from '@/lib/api'
import { isFinal } from '@/lib/verdict'

export type Trial = Schema<'TrialView'>
type NewTrial = Schema<'TrialCreate'>

const POLL_MS = 700
const LATEST = 10
/** How many labelled answers a prompt is tried on. */
export const LABELLED = 50

/** The answer's trials, newest first, read again while one is under way. */
export const useTrials = (evaluation_id: string) =>
  queries.useQuery(
    'get',
    '/qa-evaluations/{evaluation_id}/trials',
    { params: { path: { evaluation_id } } },
    {
      refetchInterval: ({ state }) =>
        state.data?.some(({ status }) => !isFinal(status)) ? POLL_MS : false,
    },
  )

export const useStartTrial = () =>
  useChange(
    (body: NewTrial) => data(api.POST('/judge-trials', { body })),
    ['/qa-evaluations/{evaluation_id}/trials'],
  )

/** The latest answers. */
export const useLatest = () =>
  queries.useQuery(
    'get',
    '/qa-evaluations',
    { params: { query: { limit: LATEST } } },
    { select: ({ items }) => items },
  )

/** The judge of the workspace's policy, `provider:model`. */
export const usePolicyJudge = () =>
  queries.useQuery(
    'get',
    '/settings/evaluation',
    { shown: 'judge' },
    {
      select: ({ effective }) => ({
        model: effective.judge_model ?? '',
        prompt: effective.judge_prompt ?? '',
      }),
    },
  )

/** A prompt beside the verdicts that readers got. */
function formOf(judges: readonly string[]): FormData {
  const form = new FormData()
  for (const judge of judges) form.append('judges', judge)
  form.set('limit', String(LABELLED))
  return form
}

export const useLabelledEstimate = () =>
  useMutation({
    mutationFn: (judges: string[]) => {
      const bodySerializer = () => formOf(judges)
      const body = { judges }
      return data(api.POST('/evaluation/judge-benches/estimate', { body, bodySerializer }))
    },
  })

export const useTryOnLabelled = () =>
  useMutation({
    mutationFn: ({ name, judges }: { name: string; judges: string[] }) => {
      const body = { name, judges, limit: LABELLED, seed: 0, threshold: 0.5, judge_spans: true }
      return data(api.POST('/evaluation/judge-benches', { body }))
    },
  })
