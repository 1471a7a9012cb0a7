import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { judgePromptsQuery } from '@/hooks/useJudgePrompts'
import { api, data, type Schema } from '@/lib/api'

export type ShippedPrompt = Schema<'ShippedPrompt'>
export type NewPrompt = Schema<'PromptCreate'>

const shippedQuery = queryOptions({
  queryKey: ['judge-prompts', 'shipped'],
  queryFn: ({ signal }) => data(api.GET('/judge-prompts/shipped', { signal })),
  // They change with the program alone.
  staleTime: Infinity,
})

export const useShippedPrompts = () => useQuery(shippedQuery)

/** Keeps the next version of a name. */
export function useKeepPrompt() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: NewPrompt) => data(api.POST('/judge-prompts', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: judgePromptsQuery.queryKey }),
  })
}

export function useRetirePrompt() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (prompt_id: string) =>
      data(api.POST('/judge-prompts/{prompt_id}/retire', { params: { path: { prompt_id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: judgePromptsQuery.queryKey }),
  })
}
