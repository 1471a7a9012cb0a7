import { useCallback } from 'react'

import type { ChatRequest } from './answerMessage'
import { ask, askAgain, clear, stop, useMessages } from './conversations'

export type { AIMessage, ChatRequest, MatchedNote } from './answerMessage'

/**
 * The questions and answers of one conversation, and what the newest of them has come to. Each
 * message has a state of its own: while the verdict of one is awaited, the next can be asked.
 */
export function useAIStream(conversation: string) {
  const messages = useMessages(conversation)
  const newest = messages.at(-1)
  return {
    messages,
    content: newest?.content ?? '',
    matchedNotes: newest?.matchedNotes ?? [],
    isStreaming: messages.some(({ state }) => state === 'streaming'),
    quality: newest?.verdict?.quality ?? null,
    qaEvaluation: newest?.verdict?.qa_evaluation ?? null,
    feedback: newest?.verdict?.feedback ?? null,
    ask: useCallback((request: ChatRequest) => ask(conversation, request), [conversation]),
    retry: useCallback((id: string) => askAgain(conversation, id), [conversation]),
    stop,
    clear: useCallback(() => clear(conversation), [conversation]),
  }
}
