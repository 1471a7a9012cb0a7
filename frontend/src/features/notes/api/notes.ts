import { useChange } from '@/hooks/useChange'
import { api, data, PAGED, queries } from '@/lib/api'
import { browserTimeZone } from '@/lib/days'

export interface NoteFilters {
  notebookId: string
  title: string
}

/** Pages of notes, oldest first; an empty filter lets all through. */
export const useNotes = ({ notebookId, title }: NoteFilters) => {
  const query = { ...(notebookId && { notebook_id: notebookId }), ...(title && { title }) }
  return queries.useInfiniteQuery('get', '/notes', { params: { query } }, PAGED)
}

export const useNote = (note_id: string) =>
  queries.useQuery('get', '/notes/{note_id}', { params: { path: { note_id } } })

/** How its answers of the last 90 days fared. */
export const useNoteQuality = (note_id: string) =>
  queries.useQuery('get', '/notes/{note_id}/quality', {
    params: { path: { note_id }, query: { tz: browserTimeZone() } },
  })

/** Notes that may say otherwise, or have nearly the same text. */
export const useNoteConflicts = (note_id: string) =>
  queries.useQuery('get', '/notes/{note_id}/conflicts', { params: { path: { note_id } } })

/** The page of the note is left afterwards, so the note itself is not read again. */
export const useDeleteNote = () =>
  useChange(
    (note_id: string) => data(api.DELETE('/notes/{note_id}', { params: { path: { note_id } } })),
    ['/notes', '/notebooks'],
  )
