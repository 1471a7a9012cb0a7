import { http, HttpResponse } from 'msw'

/** Who asks, by the API: may ask and label. */
export const WHO = { workspace: 'default', token: 'mina', scopes: ['read', 'write'] }

/** Handlers of what an answer with a verdict asks for beside it, where nobody has labelled it. */
export const noFeedback = [
  http.get('/whoami', () => HttpResponse.json(WHO)),
  http.get('/qa-evaluations/:id/feedback', () => HttpResponse.json([])),
]
