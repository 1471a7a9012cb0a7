import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'

import { WHO } from './feedback'

/** Answers for the API in tests: `server.use(http.get('/notes', …))`. By itself it has those to what
 * the shell of all pages and charts ask for, and no criteria; another request that nobody answers fails its
 * test. */
export const server = setupServer(
  http.get('/whoami', () => HttpResponse.json(WHO)),
  http.get('/login/provider', () => HttpResponse.json({ name: null })),
  http.get('/judges/successions', () => HttpResponse.json({ items: [], next: null })),
  http.get('/criteria', () => HttpResponse.json({ items: [], next: null })),
  http.get('/criteria/examples', () => HttpResponse.json([])),
  http.get('/system/health', () =>
    HttpResponse.json({ condition: 'ok', delayed: false, waiting: 0, stranded: 0 }),
  ),
)
