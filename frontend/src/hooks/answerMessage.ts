import type { Schema } from '@/lib/api'
import { ApiError, type Problem } from '@/lib/problem'
import type { SseEvent } from '@/lib/sse'
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
  state: AnswerState
  problem: Problem | null
  /** Whether the stream is still open. After the text it tells the verdict. */
  open: boolean
  verdict: Verdict | null
}

export function newMessage(id: string, request: ChatRequest): AIMessage {
  return {
    id,
    request,
    content: '',
    matchedNotes: null,
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
      const { matched_notes } = JSON.parse(event.data) as { matched_notes: MatchedNote[] }
      return { ...message, matchedNotes: matched_notes }
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
