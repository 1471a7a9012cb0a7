import createClient from 'openapi-fetch'

import type { components, paths } from '@/api/schema'

import { noteDataAge } from './dataAge'
import { apiError } from './problem'
import { setSignedOut } from './session'

/** Schemas of the API by name: `Schema<'NoteRead'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

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

/** The typed client: `await data(api.GET('/notes', { params: … , signal }))`. */
export const api = createClient<paths, 'application/json'>({
  baseUrl: window.location.origin,
  fetch: apiFetch,
})

interface Result<T> {
  data?: T
  error?: unknown
  response: Response
}

/** What a call answered with. Throws ApiError for what the API refused, and what `fetch` throws
 * (TypeError) when the server cannot be reached. */
export async function data<T>(call: Promise<Result<T>>): Promise<T> {
  const result = await call
  if (!result.response.ok) throw apiError(result.response, result.error)
  return result.data as T
}
