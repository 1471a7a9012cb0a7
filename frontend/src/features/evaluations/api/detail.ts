import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { api, data } from '@/lib/api'

const params = (id: string) => ({ path: { evaluation_id: id } })

/** What the answer took from its notes is known with the verdict: `judged` has them read again. */
export function useSources(id: string, judged: boolean) {
  return useQuery({
    queryKey: ['qa-evaluation', id, 'sources', judged],
    queryFn: ({ signal }) =>
      data(api.GET('/qa-evaluations/{evaluation_id}/sources', { params: params(id), signal })),
  })
}

/** Calls and steps grow with the verdict: `status`, and the number of calls that are known of, have
 * them read again when they change. */
export function useCalls(id: string, status: string, made: number) {
  return useQuery({
    queryKey: ['qa-evaluation', id, 'calls', status, made],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      data(api.GET('/qa-evaluations/{evaluation_id}/calls', { params: params(id), signal })),
  })
}

export function useHistory(id: string, status: string) {
  return useQuery({
    queryKey: ['qa-evaluation', id, 'history', status],
    queryFn: ({ signal }) =>
      data(api.GET('/qa-evaluations/{evaluation_id}/history', { params: params(id), signal })),
  })
}

/** All verdicts of one answer, newest first. */
export function useVerdictsOf(answerId: string, currentId: string) {
  return useQuery({
    queryKey: ['qa-evaluations', 'of', answerId, currentId],
    queryFn: ({ signal }) =>
      data(api.GET('/qa-evaluations', { params: { query: { answer_id: answerId } }, signal })),
  })
}
