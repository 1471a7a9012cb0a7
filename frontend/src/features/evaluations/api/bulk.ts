import { useMutation, useQueryClient } from '@tanstack/react-query'

import { useChange } from '@/hooks/useChange'
import { api, apiFetch, data, queries, type Schema } from '@/lib/api'
import { apiError } from '@/lib/problem'

import type { ListQuery } from '../filters'

export type RejudgeRead = Schema<'RejudgeRead'>
export type Format = NonNullable<Schema<'ExportRequest'>['format']>

// As many as the API takes at once.
export const MAX_SELECTED = 1000
const POLL_MS = 2000

/** Who judges again; the policy's judge with its usual prompt where both are empty. */
export interface JudgeChoice {
  judge: string
  prompt: string
}

/** The first that match, in the order of the list, and how many there are. */
export const selectMatching = (query: ListQuery) =>
  data(api.GET('/qa-evaluations/ids', { params: { query } }))

export const judgeOf = ({ judge, prompt }: JudgeChoice) => ({
  judge_model: judge || null,
  prompt: prompt || null,
})

const requestOf = (ids: readonly string[], choice: JudgeChoice) => ({
  filter: { evaluation_ids: [...ids] },
  ...judgeOf(choice),
  everything: false,
})

export const useRejudgeEstimate = (ids: readonly string[], choice: JudgeChoice) =>
  queries.useQuery(
    'post',
    '/evaluation/rejudge/estimate',
    { body: requestOf(ids, choice) },
    { retry: false },
  )

const at = (job_id: string) => ({ params: { path: { job_id } } })
const JOB = '/evaluation/rejudge/jobs/{job_id}'

export function useStartRejudge() {
  const client = useQueryClient()
  return async (ids: readonly string[], choice: JudgeChoice) => {
    const started = await data(api.POST('/evaluation/rejudge', { body: requestOf(ids, choice) }))
    client.setQueryData(queries.queryOptions('get', JOB, at(started.job.id)).queryKey, started)
    return started
  }
}

export const hasEnded = ({ job }: RejudgeRead) => job.finished_at !== null

export const useRejudgeJob = (id: string) =>
  queries.useQuery('get', JOB, at(id), {
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : POLL_MS),
  })

export const useCancelJob = (id: string) =>
  useChange(() => data(api.POST('/jobs/{job_id}/cancel', at(id))), [JOB])

interface Exported {
  file: Blob
  /** How many of them are still there. */
  count: number
}

export function useExportSelected() {
  return useMutation({
    mutationFn: async ({ ids, format }: { ids: string[]; format: Format }): Promise<Exported> => {
      const response = await apiFetch('/qa-evaluations/export', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ evaluation_ids: ids, format }),
      })
      if (!response.ok) {
        throw apiError(response, await response.json().catch(() => undefined))
      }
      const count = Number(response.headers.get('X-Total-Count'))
      return { file: await response.blob(), count }
    },
  })
}
