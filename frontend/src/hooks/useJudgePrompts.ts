import { queryOptions, useQuery } from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'

export type PromptVersion = Schema<'PromptVersion'>

const MAX_SHOWN = 200

export const judgePromptsQuery = queryOptions({
  queryKey: ['judge-prompts'],
  queryFn: async ({ signal }) => {
    const query = { limit: MAX_SHOWN }
    return (await data(api.GET('/judge-prompts', { params: { query }, signal }))).items
  },
})

/** The workspace's own prompts, newest first. */
export const useJudgePrompts = (enabled = true) => useQuery({ ...judgePromptsQuery, enabled })
