import type { Schema } from '@/lib/api'
import { ApiError, type Problem } from '@/lib/problem'
import type { SseEvent } from '@/lib/readEvents'
import { verdictAfter, type Verdict } from '@/lib/verdict'

export type ChatRequest = Schema<'AIChatRequest'>
export type MatchedNote = Schema<'MatchedNote'>

/** `interrupted`: the text broke off, by a lost connection or a reload. */
export type AnswerState = 'streaming' | 'complete' | 'stopped' | 'interrupted' | 'failed'

/** One question with its answer. All of it is plain data that a reload can restore. */
export interface AIMessage {
  id: string
  request: ChatRequest
  content: string
  matchedNotes: MatchedNote[] | null
  /** Of the answer as it is stored in the end; null until the stream tells it. */
  answerId: string | null
  state: AnswerState
  problem: Problem | null
  /** Whether the stream is still open. After the text it tells the verdict. */
  open: boolean
  verdict: Verdict | null
}

interface Metadata {
  matched_notes: MatchedNote[]
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
      const { matched_notes, answer_id } = JSON.parse(event.data) as Metadata
      return { ...message, matchedNotes: matched_notes, answerId: answer_id }
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
