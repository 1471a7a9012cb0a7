import { useMutation, useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'

import type { Paths } from '@/lib/api'

/** Has what these calls answered read again; with `none` when it is next shown. */
export async function invalidate(
  client: QueryClient,
  paths: readonly Paths[],
  refetchType: 'active' | 'none' = 'active',
) {
  const fits = (asked: unknown) =>
    typeof asked === 'string' &&
    paths.some((path) =>
      path.endsWith('*') ? asked.startsWith(path.slice(0, -1)) : asked === path,
    )
  const predicate = ({ queryKey }: Query) => fits(queryKey[1])
  // A first read that is under way would be taken for the newest, though it began before the change.
  if (refetchType === 'active')
    await client.cancelQueries({
      predicate: (query) => query.state.data === undefined && predicate(query),
    })
  return client.invalidateQueries({ predicate, refetchType })
}

/** A mutation after which what the calls `stale` answered is read again. */
export function useChange<Input, Output>(
  mutationFn: (input: Input) => Promise<Output>,
  stale: readonly Paths[],
  onSuccess?: (output: Output, input: Input) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    // A secret that is answered with is never kept.
    gcTime: 0,
    onSuccess: (output, input) => {
      onSuccess?.(output, input)
      return invalidate(client, stale)
    },
  })
}
