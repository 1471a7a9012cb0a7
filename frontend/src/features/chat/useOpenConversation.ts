import { useEffect, useMemo } from 'react'

import { isStored, messageOf } from '@/hooks/answerMessage'
import { useAIStream } from '@/hooks/useAIStream'
import { ApiError } from '@/lib/problem'

import { useConversation, useConversationAnswers, useRefreshConversations } from './conversations'

/** What is known of the conversation with that id, by the server and by this tab.
 *
 * hasAddress: it was asked in before. begun: it was begun on this page, and the server has nothing
 * of it before its first answer is stored. */
export function useOpenConversation(id: string, hasAddress: boolean, begun: boolean) {
  const { messages: own } = useAIStream(id)
  const storedHere = own.filter(isStored).length
  const enabled = hasAddress && (!begun || storedHere > 0)
  const conversation = useConversation(id, enabled)
  const answers = useConversationAnswers(id, enabled)
  const refresh = useRefreshConversations()
  useEffect(() => {
    if (storedHere > 0) void refresh()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- at each answer that is stored.
  }, [storedHere])
  const stored = useMemo(
    () => (answers.data?.pages.flatMap((page) => page.items) ?? []).map(messageOf).reverse(),
    [answers.data],
  )
  const known = !enabled || own.length > 0 || answers.data !== undefined
  return {
    title: conversation.data?.title,
    stored,
    answers,
    isPending: !known && answers.isPending,
    error: known ? null : answers.error,
    /** There is none with that id, or it is somebody else's; the server does not say which. */
    isMissing: !known && isMissing(answers.error),
  }
}

/** 422 is an address that is no id. */
function isMissing(error: unknown): boolean {
  return error instanceof ApiError && [404, 422].includes(error.status)
}
