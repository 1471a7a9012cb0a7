import { useChange } from '@/hooks/useChange'
import { api, data, queries, type Schema } from '@/lib/api'

export type ShippedPrompt = Schema<'ShippedPrompt'>
type NewPrompt = Schema<'PromptCreate'>

/** They change with the program alone. */
export const useShippedPrompts = () =>
  queries.useQuery('get', '/judge-prompts/shipped', undefined, { staleTime: Infinity })

/** Keeps the next version of a name. */
export const useKeepPrompt = () =>
  useChange((body: NewPrompt) => data(api.POST('/judge-prompts', { body })), ['/judge-prompts'])

export const useRetirePrompt = () =>
  useChange(
    (prompt_id: string) =>
      data(api.POST('/judge-prompts/{prompt_id}/retire', { params: { path: { prompt_id } } })),
    ['/judge-prompts'],
  )
