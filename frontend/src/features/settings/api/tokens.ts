import { useChange } from '@/hooks/useChange'
import { api, data, queries, type Schema } from '@/lib/api'

const STALE = ['/tokens'] as const

export const useTokens = () => queries.useQuery('get', '/tokens')

/** Who is logged in now. */
export const useSessions = () =>
  queries.useQuery('get', '/tokens', { params: { query: { kind: 'session' } } })

/** Ends this browser's session; answers with where to end the login provider's, if there. */
export const useLogout = () => useChange(() => data(api.POST('/logout')), [])

/** The token itself is in the answer only, never in the cache of the page. */
export const useCreateToken = () =>
  useChange((body: Schema<'TokenCreate'>) => data(api.POST('/tokens', { body })), STALE)

/** As `useCreateToken`. */
export const useRotateToken = (token_id: string) =>
  useChange((overlap_hours: number) => {
    const params = { path: { token_id } }
    return data(api.POST('/tokens/{token_id}/rotate', { params, body: { overlap_hours } }))
  }, STALE)

export const useRevokeToken = () =>
  useChange(({ id, evenLastAdmin }: { id: string; evenLastAdmin: boolean }) => {
    const query = evenLastAdmin ? { even_last_admin: true } : {}
    return data(api.DELETE('/tokens/{token_id}', { params: { path: { token_id: id }, query } }))
  }, STALE)
