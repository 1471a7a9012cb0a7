import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data, queries, type Schema } from '@/lib/api'
import { isFinal, type EvaluationView } from '@/lib/verdict'

import { verdictQuery } from './useVerdict'

export type RefinementView = Schema<'RefinementView'>

interface BetterAnswer {
  answer: string
  lift: number | null
  documents: Schema<'DocumentView'>[]
}

/** Starts the search for a better answer than the one that was judged. */
export function useRefine(evaluation_id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => {
      const params = { path: { evaluation_id } }
      return data(api.POST('/qa-evaluations/{evaluation_id}/refine', { params, body: {} }))
    },
    onSuccess: () => client.invalidateQueries(verdictQuery(evaluation_id)),
  })
}

/** The newest refinement of an answer with its rounds, once it has ended. */
export function useRefinementView(refinement: EvaluationView['refinement']) {
  return queries.useQuery(
    'get',
    '/refinements/{refinement_id}',
    { params: { path: { refinement_id: refinement?.id ?? '' } } },
    { enabled: refinement !== null && isFinal(refinement.status) },
  )
}

/** The better answer that the newest refinement offers, once it is there. */
export function useRefinement(refinement: EvaluationView['refinement']): BetterAnswer | null {
  const { data: found } = useRefinementView(refinement)
  const best = found?.iterations.find(({ position }) => position === found.best_iteration)
  if (!found?.best_iteration || !best?.answer) return null
  return { answer: best.answer, lift: found.lift, documents: best.documents ?? [] }
}
