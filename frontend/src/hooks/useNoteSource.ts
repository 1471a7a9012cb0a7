import { useQuery } from '@tanstack/react-query'

import { api, data } from '@/lib/api'
import { ApiError } from '@/lib/problem'

import type { AIMessage } from './answerMessage'

export interface NoteSource {
  title: string
  content: string
  /** Whether this is what the answering model was given; else it is the note as it is now. */
  asGiven: boolean
}

/** The notes of a judged answer as the model was given them. */
function fetchSources(evaluationId: string, signal: AbortSignal) {
  const path = { evaluation_id: evaluationId }
  return data(api.GET('/qa-evaluations/{evaluation_id}/sources', { params: { path }, signal }))
}

async function fetchSource(message: AIMessage, index: number, signal: AbortSignal) {
  const { request, matchedNotes, verdict } = message
  const matched = matchedNotes?.find((note) => note.note_index === index)
  const given = request.options?.context_notes?.[index - 1]
  if (given !== undefined) return { title: matched?.title ?? '', content: given, asGiven: true }
  if (verdict?.id) {
    try {
      const sources = await fetchSources(verdict.id, signal)
      const source = sources.find((each) => each.note_index === index)
      if (source) return { title: source.title, content: source.content, asGiven: true }
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error
    }
  }
  if (!matched?.note_id) return null
  const path = { note_id: matched.note_id }
  const note = await data(api.GET('/notes/{note_id}', { params: { path }, signal }))
  return { title: note.title, content: note.content, asGiven: false }
}

/** One of the notes that an answer was given; null when nobody has its text. */
export function useNoteSource(message: AIMessage, index: number) {
  return useQuery<NoteSource | null>({
    queryKey: ['note-source', message.id, message.verdict?.id ?? null, index],
    queryFn: ({ signal }) => fetchSource(message, index, signal),
  })
}
