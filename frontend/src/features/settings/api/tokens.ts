import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'

const KEY = ['tokens']

export const useTokens = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => data(api.GET('/tokens', { signal })),
  })

/** The token itself is in the answer only, never in the cache of the page. */
export function useCreateToken() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Schema<'TokenCreate'>) => data(api.POST('/tokens', { body })),
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  })
}

/** As `useCreateToken`. */
export function useRotateToken(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (hours: number) =>
      data(
        api.POST('/tokens/{token_id}/rotate', {
          params: { path: { token_id: id } },
          body: { overlap_hours: hours },
        }),
      ),
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  })
}

export function useRevokeToken() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, evenLastAdmin }: { id: string; evenLastAdmin: boolean }) =>
      data(
        api.DELETE('/tokens/{token_id}', {
          params: {
            path: { token_id: id },
            query: evenLastAdmin ? { even_last_admin: true } : {},
          },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  })
}
