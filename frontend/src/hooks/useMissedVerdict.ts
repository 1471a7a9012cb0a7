import { queryOptions, useQuery } from '@tanstack/react-query'

import { api, data } from '@/lib/api'
import { ApiError } from '@/lib/problem'
import { verdictOf } from '@/lib/verdict'

import type { AIMessage } from './answerMessage'

// The text is told before the answer is stored, which takes a few seconds at most.
const TRIES = 10
const PAUSE_MS = 1000

const verdictOfAnswerQuery = (answer_id: string) =>
  queryOptions({
    queryKey: ['verdict-of-answer', answer_id],
    queryFn: async ({ signal }) => {
      const found = api.GET('/qa-evaluations', { params: { query: { answer_id } }, signal })
      const { items } = await data(found)
      return items.find(({ is_current }) => is_current) ?? null
    },
    retry: false,
  })

/** The message with its verdict looked for by the answer's id, where the stream broke before it
 * told one. `lost`: it is not found, or not to be had now. */
export function useMissedVerdict(message: AIMessage): { message: AIMessage; lost: boolean } {
  const { state, open, verdict, answerId } = message
  const missed = state === 'complete' && !open && !verdict
  const query = useQuery({
    ...verdictOfAnswerQuery(answerId ?? ''),
    enabled: missed && Boolean(answerId),
    refetchInterval: ({ state: { data: found, dataUpdateCount, error } }) => {
      const refused = error instanceof ApiError && error.status < 500
      return found || refused || dataUpdateCount >= TRIES ? false : PAUSE_MS
    },
  })
  if (!missed) return { message, lost: false }
  if (query.data) return { message: { ...message, verdict: verdictOf(query.data) }, lost: false }
  return { message, lost: !answerId || query.isError || query.data === null }
}
