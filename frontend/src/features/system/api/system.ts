import { useQuery } from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'

export type System = Schema<'SystemRead'>
export type Problem = System['problems'][number]
export type Queue = NonNullable<System['queues']>[number]
export type Process = System['processes'][number]
export type TableSize = System['tables'][number]

const LOOK_MS = 5_000

/** What waits and who works, looked at again while the page is visible. */
export const useSystem = () =>
  useQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => data(api.GET('/system', { signal })),
    refetchInterval: LOOK_MS,
  })
