import { useQuery } from '@tanstack/react-query'

import { api, data } from '@/lib/api'

const LOOK_MS = 60_000

/** Whether verdicts are late; looked at seldom, and only while the page is visible. */
export const useSystemHealth = () =>
  useQuery({
    queryKey: ['system', 'health'],
    queryFn: ({ signal }) => data(api.GET('/system/health', { signal })),
    refetchInterval: LOOK_MS,
    staleTime: LOOK_MS,
  })
