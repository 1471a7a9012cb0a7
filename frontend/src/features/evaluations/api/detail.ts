import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { invalidate, useChange } from '@/hooks/useChange'
import { api, data, queries } from '@/lib/api'
import { ApiError } from '@/lib/problem'

import { type JudgeChoice, judgeOf } from './bulk'

const at = (evaluation_id: string) => ({ params: { path: { evaluation_id } } })

/** Calls and steps grow with the verdict: `status`, and the number of calls that are known of, have
 * them read again when they change. */
export const useCalls = (id: string, status: string, made: number) =>
  queries.useQuery(
    'get',
    '/qa-evaluations/{evaluation_id}/calls',
    { ...at(id), status, made },
    { placeholderData: keepPreviousData },
  )

export const useHistory = (id: string, status: string) =>
  queries.useQuery('get', '/qa-evaluations/{evaluation_id}/history', { ...at(id), status })

/** All verdicts of one answer, newest first. */
export const useVerdictsOf = (answer_id: string, current: string) =>
  queries.useQuery('get', '/qa-evaluations', { params: { query: { answer_id } }, shown: current })

/** Has the answer judged again; answers with the new verdict's id. */
export const useRejudge = (id: string) =>
  useChange(
    (choice: JudgeChoice) =>
      data(
        api.POST('/qa-evaluations/{evaluation_id}/rejudge', { ...at(id), body: judgeOf(choice) }),
      ),
    ['/qa-evaluations'],
  )

/** Removes the answer with all that hangs on it. */
export function useDeleteAnswer() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (answer_id: string) =>
      data(api.DELETE('/answers/{answer_id}', { params: { path: { answer_id } } })),
    // Not read at once: what is gone would be asked for while its page still shows.
    onSuccess: () =>
      invalidate(client, ['/qa-evaluations/review-queue', '/qa-evaluations'], 'none'),
  })
}

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
 * for one that is gone, undefined until it is known. Of ids of copies the first one counts. */
export function useNoteTitle(note: string): string | null | undefined {
  const [id = note, ...copies] = note.split(' ')
  const { data: title } = useQuery({
    queryKey: ['note-title', id],
    queryFn: ({ signal }) => fetchTitle(id, signal),
    enabled: ID.test(id),
  })
  if (!ID.test(id)) return note
  return title && copies.length > 0 ? `${title} +${copies.length}` : title
}
