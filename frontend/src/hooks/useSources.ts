import { queries } from '@/lib/api'

/** The notes of an answer as the model was given them. What it took from them is known with the
 * verdict: `judged` has them read again. */
export const useSources = (evaluation_id: string, judged: boolean) =>
  queries.useQuery('get', '/qa-evaluations/{evaluation_id}/sources', {
    params: { path: { evaluation_id } },
    judged,
  })
