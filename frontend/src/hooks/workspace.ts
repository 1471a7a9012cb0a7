import { queries } from '@/lib/api'

// A process that freezes is noticed within 10 s: 7 of silence, 1 of caching, and these.
const HEALTH_POLL_MS = 2_000

/** Whose session this is, and what it may do. */
export const useWho = () => queries.useQuery('get', '/whoami')

export const useNotebooks = () => queries.useQuery('get', '/notebooks')

/** Whether verdicts are late; looked at only while the page is visible. */
export const useSystemHealth = () =>
  queries.useQuery('get', '/system/health', undefined, {
    refetchInterval: HEALTH_POLL_MS,
    staleTime: HEALTH_POLL_MS,
  })
