import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '@/lib/api'

/** Stores the sample notes. */
export function useSampleNotes() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/sample-notes')),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['notebooks'] }),
        queries.invalidateQueries({ queryKey: ['notes'] }),
      ]),
  })
}
