import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { api, data } from '@/lib/api'

/** Shorter texts are in too many titles. */
export const MIN_CHARS = 2
const LIMIT = 5

/** Notes by their titles and current evaluations by their questions, a few of each. */
export function useSearch(text: string) {
  return useQuery({
    queryKey: ['commands', text],
    queryFn: async ({ signal }) => {
      const [notes, evaluations] = await Promise.all([
        data(api.GET('/notes', { params: { query: { title: text, limit: LIMIT } }, signal })),
        data(
          api.GET('/qa-evaluations', {
            params: { query: { question: text, current: true, limit: LIMIT } },
            signal,
          }),
        ),
      ])
      return { notes: notes.items, evaluations: evaluations.items }
    },
    enabled: text.length >= MIN_CHARS,
    placeholderData: keepPreviousData,
  })
}
