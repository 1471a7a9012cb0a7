import createClient from 'openapi-fetch'
import createQueries from 'openapi-react-query'

import type { components, paths } from '@/api/schema'

import { apiError } from './problem'
import { noteDataAge, setSignedOut } from './session'

/** Schemas of the API by name: `Schema<'NoteRead'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]
/** A path of the API; `*` stands for all that begin so. */
export type Paths = keyof paths | `${string}*`

/** `fetch` in the reader's language that notices the end of the session. */
export async function apiFetch(input: Request | string, init?: RequestInit): Promise<Response> {
  const request = new Request(
    typeof input === 'string' ? new URL(input, window.location.origin) : input,
    init,
  )
  request.headers.set('Accept-Language', document.documentElement.lang)
  const response = await fetch(request)
  if (response.status === 401) setSignedOut(true)
  noteDataAge(request.url, response)
  return response
}

/** The typed client: `await data(api.GET('/notes', { params: … , signal }))`. Its calls throw
 * ApiError for what the API refused, and TypeError when the server cannot be reached. */
export const api = createClient<paths, 'application/json'>({
  baseUrl: window.location.origin,
  fetch: apiFetch,
})
api.use({
  onResponse: async ({ response }) => {
    if (!response.ok) throw apiError(response, await response.json().catch(() => undefined))
  },
})

/** The same as hooks of TanStack Query, whose keys are `['get', path, init]`. */
export const queries = createQueries(api)

/** Options of `queries.useInfiniteQuery` for lists that come page by page. */
export const PAGED = {
  pageParamName: 'after',
  initialPageParam: null as string | null,
  getNextPageParam: (page: { next: string | null }) => page.next,
}

/** What a call answered with. */
export async function data<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T
}
