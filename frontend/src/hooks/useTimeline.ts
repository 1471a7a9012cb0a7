import { keepPreviousData } from '@tanstack/react-query'

import { queries, type Schema } from '@/lib/api'
import { isFinal, type Verdict } from '@/lib/verdict'

export type Timeline = Schema<'TimelineView'>
export type Span = Schema<'SpanView'>

const POLL_MS = 2000
// When a reader was first sent a verdict is stored shortly after it was.
const DELIVERY_MS = 4000

interface Options {
  enabled?: boolean
}

/** What took how long on the way to a verdict, asked for again while it is on its way. `receivedAt`
 * is the browser's time at `now`, PostgreSQL's. */
export function useTimeline(
  id: string | null,
  status: Verdict['status'],
  { enabled = true }: Options = {},
) {
  const query = queries.useQuery(
    'get',
    '/qa-evaluations/{evaluation_id}/timeline',
    { params: { path: { evaluation_id: id ?? '' } }, status },
    {
      enabled: enabled && id !== null && status !== 'not_stored',
      placeholderData: keepPreviousData,
      refetchInterval: ({ state: { data: found } }) =>
        found && (!isFinal(found.status) || mayBeDelivered(found)) ? POLL_MS : false,
    },
  )
  return { ...query, timeline: query.data, receivedAt: query.dataUpdatedAt }
}

function mayBeDelivered({ unknown, now, end }: Timeline): boolean {
  return unknown.includes('deliver') && Date.parse(now) - Date.parse(end) < DELIVERY_MS
}
