import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'

import { api, data } from '@/lib/api'

export interface NoteFilters {
  notebookId: string
  title: string
}

/** Pages of notes, oldest first; an empty filter lets all through. */
export const notesQuery = ({ notebookId, title }: NoteFilters) =>
  infiniteQueryOptions({
    queryKey: ['notes', 'list', notebookId, title],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...(notebookId && { notebook_id: notebookId }),
        ...(title && { title }),
        ...(pageParam !== null && { after: pageParam }),
      }
      return data(api.GET('/notes', { params: { query }, signal }))
    },
    getNextPageParam: (page) => page.next,
  })

export const noteQuery = (id: string) =>
  queryOptions({
    queryKey: ['notes', id],
    queryFn: ({ signal }) =>
      data(api.GET('/notes/{note_id}', { params: { path: { note_id: id } }, signal })),
  })

export const useNotes = (filters: NoteFilters) => useInfiniteQuery(notesQuery(filters))
export const useNote = (id: string) => useQuery(noteQuery(id))

/** The page of the note is left afterwards, so the note itself is not asked for again. */
export function useDeleteNote() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      data(api.DELETE('/notes/{note_id}', { params: { path: { note_id: id } } })),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['notes', 'list'] }),
        queries.invalidateQueries({ queryKey: ['notebooks'] }),
      ]),
  })
}
