import { queries } from '@/lib/api'
import { ApiError } from '@/lib/problem'
import { verdictOf } from '@/lib/verdict'

import type { AIMessage } from './answerMessage'

// The text is sent before the answer is stored, which takes a few seconds at most.
const MAX_READS = 10
const POLL_MS = 1000

/** The message with its verdict looked for by the answer's id, where the stream broke before it
 * told one. `lost`: it is not found, or not to be had now. */
export function useMissedVerdict(message: AIMessage): { message: AIMessage; lost: boolean } {
  const { state, open, verdict, answerId } = message
  const missed = state === 'complete' && !open && !verdict
  const query = queries.useQuery(
    'get',
    '/qa-evaluations',
    { params: { query: { answer_id: answerId ?? '' } }, current: true },
    {
      retry: false,
      enabled: missed && Boolean(answerId),
      select: ({ items }) => items.find(({ is_current }) => is_current) ?? null,
      refetchInterval: ({ state: { data: found, dataUpdateCount, error } }) => {
        const refused = error instanceof ApiError && error.status < 500
        const isFound = found?.items.some(({ is_current }) => is_current)
        return isFound || refused || dataUpdateCount >= MAX_READS ? false : POLL_MS
      },
    },
  )
  if (!missed) return { message, lost: false }
  if (query.data) return { message: { ...message, verdict: verdictOf(query.data) }, lost: false }
  return { message, lost: !answerId || query.isError || query.data === null }
}
