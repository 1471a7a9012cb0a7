import type { Schema } from '@/lib/api'
import { ApiError, type Problem } from '@/lib/problem'
import type { SseEvent } from '@/lib/readEvents'
import { verdictAfter, verdictOf, type Verdict } from '@/lib/verdict'

export type ChatRequest = Schema<'AIChatRequest'>
type ConversationAnswer = Schema<'ConversationAnswerView'>
export type MatchedNote = Schema<'MatchedNote'>

/** `interrupted`: the text broke off, by a lost connection or a reload. */
type AnswerState = 'streaming' | 'complete' | 'stopped' | 'interrupted' | 'failed'

/** One question with its answer. All of it is plain data that a reload can restore. */
export interface AIMessage {
  id: string
  request: ChatRequest
  content: string
  matchedNotes: MatchedNote[] | null
  /** Of the answer as it is stored in the end; null until the stream tells it. */
  answerId: string | null
  /** What a question that needs those before it was understood as. */
  understood?: string
  state: AnswerState
  problem: Problem | null
  /** Whether the stream is still open. After the text it tells the verdict. */
  open: boolean
  verdict: Verdict | null
}

interface Metadata {
  matched_notes: MatchedNote[]
  standalone_question?: string | null
  answer_id: string
}

export function newMessage(id: string, request: ChatRequest): AIMessage {
  return {
    id,
    request,
    content: '',
    matchedNotes: null,
    answerId: null,
    state: 'streaming',
    problem: null,
    open: true,
    verdict: null,
  }
}

/** The message after one more event of `POST /ai/stream`. */
export function messageAfter(message: AIMessage, event: SseEvent): AIMessage {
  switch (event.event) {
    case 'metadata': {
      const { matched_notes, answer_id, standalone_question } = JSON.parse(event.data) as Metadata
      const understood = standalone_question && { understood: standalone_question }
      return { ...message, matchedNotes: matched_notes, answerId: answer_id, ...understood }
    }
    case 'message': {
      if (event.data === '[DONE]') return { ...message, state: 'complete' }
      const { chunk } = JSON.parse(event.data) as { chunk: string }
      return { ...message, content: message.content + chunk }
    }
    case 'error':
      return { ...message, state: 'failed', problem: JSON.parse(event.data) as Problem }
    default:
      return { ...message, verdict: verdictAfter(message.verdict, event) }
  }
}

/** The message after its stream has ended, by itself or with an error. */
export function messageEnded(message: AIMessage, error?: unknown, stopped = false): AIMessage {
  const ended = { ...message, open: false }
  if (message.state !== 'streaming') return ended
  if (stopped) return { ...ended, state: 'stopped' }
  if (error instanceof ApiError) return { ...ended, state: 'failed', problem: error.problem }
  return { ...ended, state: 'interrupted' }
}

/** Whether the server keeps it with its conversation: an answer is stored with its evaluation. */
export function isStored({ request, verdict }: AIMessage): boolean {
  return Boolean(request.options?.conversation_id && verdict?.id)
}

/** An answer as the server has kept it. */
export function messageOf(answer: ConversationAnswer): AIMessage {
  const { id, evaluation_id, status, reason, error } = answer
  return {
    id,
    request: { content: answer.question, feature: 'search_qa', options: {} },
    content: answer.answer,
    matchedNotes: answer.matched_notes,
    answerId: id,
    ...(answer.standalone_question && { understood: answer.standalone_question }),
    state: 'complete',
    problem: null,
    open: false,
    verdict: verdictOf({ id: evaluation_id, status, reason, error }),
  }
}

/** What the server has kept, and behind it what this tab has: also what was stopped or failed. An
 * answer that both have is the tab's, which knows its verdict as it comes; the tab's without a
 * verdict, as after a broken stream, is the server's. */
export function withStored(
  stored: readonly AIMessage[],
  own: readonly AIMessage[],
): readonly AIMessage[] {
  const kept = new Set(stored.map(({ answerId }) => answerId))
  const shown = own.filter((message) => {
    return message.open || isStored(message) || !kept.has(message.answerId)
  })
  const here = new Set(shown.map(({ answerId }) => answerId))
  return [...stored.filter(({ answerId }) => !here.has(answerId)), ...shown]
}
