import { useQuery } from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'
import { isFinal, type EvaluationView } from '@/lib/verdict'

export interface BetterAnswer {
  answer: string
  lift: number | null
  documents: Schema<'DocumentView'>[]
}

/** The better answer that the newest refinement offers, once it is there. */
export function useRefinement(refinement: EvaluationView['refinement']): BetterAnswer | null {
  const offered = refinement !== null && isFinal(refinement.status) && !!refinement.best_iteration
  const { data: found } = useQuery({
    queryKey: ['refinement', refinement?.id],
    queryFn: ({ signal }) =>
      data(
        api.GET('/refinements/{refinement_id}', {
          params: { path: { refinement_id: refinement?.id ?? '' } },
          signal,
        }),
      ),
    enabled: offered,
  })
  const best = found?.iterations.find(({ position }) => position === found.best_iteration)
  if (!found || !best?.answer) return null
  return { answer: best.answer, lift: found.lift, documents: best.documents ?? [] }
}
