import { queries, type Schema } from '@/lib/api'

export type PromptVersion = Schema<'PromptVersion'>

const MAX_SHOWN = 200

/** The workspace's own prompts, newest first. */
export const useJudgePrompts = (enabled = true) =>
  queries.useQuery(
    'get',
    '/judge-prompts',
    { params: { query: { limit: MAX_SHOWN } } },
    { enabled, select: ({ items }) => items },
  )
