import { queries, type Schema } from '@/lib/api'

export type System = Schema<'SystemRead'>
export type Problem = System['problems'][number]
export type Queue = NonNullable<System['queues']>[number]
export type Process = System['processes'][number]

const POLL_MS = 5_000

/** What waits and who works, read again while the page is visible. */
export const useSystem = () =>
  queries.useQuery('get', '/system', undefined, { refetchInterval: POLL_MS })
