import { queryOptions, useQuery } from '@tanstack/react-query'

import { api, data } from '@/lib/api'

const notebooksQuery = queryOptions({
  queryKey: ['notebooks'],
  queryFn: ({ signal }) => data(api.GET('/notebooks', { signal })),
})

export function useNotebooks() {
  return useQuery(notebooksQuery)
}
