import { useQuery } from '@tanstack/react-query'

import { api, data } from '@/lib/api'
import { ApiError } from '@/lib/problem'

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

async function fetchTitle(noteId: string, signal: AbortSignal): Promise<string | null> {
  const path = { note_id: noteId }
  try {
    return (await data(api.GET('/notes/{note_id}', { params: { path }, signal }))).title
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** The title of the note that a filter names by its id, or by its title where it has none here; null
 * for one that is gone, undefined until it is known. */
export function useNoteTitle(note: string): string | null | undefined {
  const { data: title } = useQuery({
    queryKey: ['note-title', note],
    queryFn: ({ signal }) => fetchTitle(note, signal),
    enabled: ID.test(note),
  })
  return ID.test(note) ? title : note
}
