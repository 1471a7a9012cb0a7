import type { Schema } from '@/lib/api'

export const JUDGED = ['faithfulness', 'answer_relevancy'] as const

/** The figures of a run's answers; nothing when the judge gave no usable reply in one of the two
 * respects, for then they say nothing of quality. */
export function generationOf({ summary }: Pick<Schema<'RunView'>, 'summary'>) {
  const generation = summary?.generation
  return generation && JUDGED.every((metric) => generation[metric].parsed > 0) ? generation : null
}
