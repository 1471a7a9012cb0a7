import { setupServer } from 'msw/node'

/** Answers for the API in tests: `server.use(http.get('/notes', …))`. It has none by itself, and
 * a request that nobody answers fails its test. */
export const server = setupServer()
