import { queries } from '@/lib/api'

/** The workspace's own criteria that new verdicts have; there are ten at most. */
export const useCriteria = () =>
  queries.useQuery('get', '/criteria', { params: { query: { in_force: true } } })
