import { useQuery } from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'
import { isFinal, type EvaluationView } from '@/lib/verdict'

export type RefinementView = Schema<'RefinementView'>

export interface BetterAnswer {
  answer: string
  lift: number | null
  documents: Schema<'DocumentView'>[]
}

/** The newest refinement of an answer with its rounds, once it has ended. */
export function useRefinementView(refinement: EvaluationView['refinement']) {
  return useQuery({
    queryKey: ['refinement', refinement?.id],
    queryFn: ({ signal }) =>
      data(
        api.GET('/refinements/{refinement_id}', {
          params: { path: { refinement_id: refinement?.id ?? '' } },
          signal,
        }),
      ),
    enabled: refinement !== null && isFinal(refinement.status),
  })
}

/** The better answer that the newest refinement offers, once it is there. */
export function useRefinement(refinement: EvaluationView['refinement']): BetterAnswer | null {
  const { data: found } = useRefinementView(refinement)
  const best = found?.iterations.find(({ position }) => position === found.best_iteration)
  if (!found?.best_iteration || !best?.answer) return null
  return { answer: best.answer, lift: found.lift, documents: best.documents ?? [] }
}
