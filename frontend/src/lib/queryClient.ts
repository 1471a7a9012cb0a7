import { QueryClient } from '@tanstack/react-query'

import { ApiError } from './problem'

const TRIES = 2

/** What the API refuses is not asked again; a server that is away is, twice. */
function retry(failures: number, error: Error): boolean {
  const lasting = error instanceof ApiError && error.status < 500
  return !lasting && failures < TRIES
}

export function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry, staleTime: 10_000 } } })
}
