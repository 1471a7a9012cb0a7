import { keepPreviousData, useQueryClient } from '@tanstack/react-query'

import { invalidate, useChange } from '@/hooks/useChange'
import { api, data, PAGED, queries, type Schema } from '@/lib/api'

export type Conversation = Schema<'ConversationView'>

const LIMIT = 20

/** Pages of the asker's conversations, the last asked in first. */
export const useConversations = (containing: string) =>
  queries.useInfiniteQuery(
    'get',
    '/conversations',
    { params: { query: { limit: LIMIT, ...(containing && { containing }) } } },
    { ...PAGED, placeholderData: keepPreviousData },
  )

const at = (conversation_id: string) => ({ params: { path: { conversation_id } } })

export const useConversation = (id: string, enabled: boolean) =>
  queries.useQuery('get', '/conversations/{conversation_id}', at(id), { enabled })

/** Pages of its answers, newest first. */
export const useConversationAnswers = (id: string, enabled: boolean) =>
  queries.useInfiniteQuery(
    'get',
    '/conversations/{conversation_id}/answers',
    { params: { ...at(id).params, query: { limit: LIMIT } } },
    { ...PAGED, enabled },
  )

/** Refreshes what is shown of conversations: titles, their order, and answers. */
export function useRefreshConversations() {
  const client = useQueryClient()
  return () => invalidate(client, ['/conversations*'])
}

/** title null: by the first question again. */
export const useRename = (id: string) =>
  useChange(
    (title: string | null) =>
      data(api.PATCH('/conversations/{conversation_id}', { ...at(id), body: { title } })),
    ['/conversations*'],
  )

export const useDeleteConversation = (id: string) =>
  useChange(
    (with_answers: boolean) => {
      const params = { ...at(id).params, query: { with_answers } }
      return data(api.DELETE('/conversations/{conversation_id}', { params }))
    },
    ['/conversations'],
  )

export const useSampleNotes = () =>
  useChange(() => data(api.POST('/sample-notes')), ['/notebooks', '/notes*'])
