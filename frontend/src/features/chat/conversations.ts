import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'

export type Conversation = Schema<'ConversationView'>

const CONVERSATIONS = ['conversations']
const SHOWN_ANSWERS = 20

const pathOf = (id: string) => ({ path: { conversation_id: id } })

/** Pages of the asker's conversations, the last asked in first. */
export const useConversations = (containing: string) =>
  useInfiniteQuery({
    queryKey: [...CONVERSATIONS, 'list', containing],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: 20,
        ...(containing && { containing }),
        ...(pageParam !== null && { after: pageParam }),
      }
      return data(api.GET('/conversations', { params: { query }, signal }))
    },
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

export const useConversation = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: [...CONVERSATIONS, id],
    queryFn: ({ signal }) =>
      data(api.GET('/conversations/{conversation_id}', { params: pathOf(id), signal })),
    enabled,
  })

const answersQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...CONVERSATIONS, id, 'answers'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: SHOWN_ANSWERS, ...(pageParam !== null && { after: pageParam }) }
      const params = { ...pathOf(id), query }
      return data(api.GET('/conversations/{conversation_id}/answers', { params, signal }))
    },
    getNextPageParam: (page) => page.next,
  })

/** Pages of its answers, newest first. */
export const useConversationAnswers = (id: string, enabled: boolean) =>
  useInfiniteQuery({ ...answersQuery(id), enabled })

/** Refreshes what is shown of conversations: titles, their order, and answers. */
export function useRefreshConversations() {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: CONVERSATIONS })
}

export function useRename(id: string) {
  const refresh = useRefreshConversations()
  return useMutation({
    /** title null: by the first question again. */
    mutationFn: (title: string | null) =>
      data(api.PATCH('/conversations/{conversation_id}', { params: pathOf(id), body: { title } })),
    onSuccess: refresh,
  })
}

export function useDeleteConversation(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (withAnswers: boolean) => {
      const params = { ...pathOf(id), query: { with_answers: withAnswers } }
      return data(api.DELETE('/conversations/{conversation_id}', { params }))
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [...CONVERSATIONS, 'list'] }),
  })
}
