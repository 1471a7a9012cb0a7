import { useQuery } from '@tanstack/react-query'

import { api, data } from '@/lib/api'

/** Whose session this is, and what it may do. */
export const useWho = () =>
  useQuery({
    queryKey: ['whoami'],
    queryFn: ({ signal }) => data(api.GET('/whoami', { signal })),
  })
