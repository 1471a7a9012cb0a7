import { api, data } from '@/lib/api'
import { newUuid } from '@/lib/uuid'

import type { Draft, LabelServer } from '../label/labelSession'

export interface Wanted {
  /** Answers drawn at random, verdicts that are doubtful, or those chosen in the list. */
  source: 'drawn' | 'doubtful' | 'chosen'
  /** Evaluations that are chosen, in their order. */
  chosen: readonly string[]
  /** What others have labelled, for a second label. */
  again: boolean
  /** The token's name where it is empty. */
  author: string
}

/** Gives answers to this window and keeps their labels, also while it closes. What it has open is
 * under an id of its own, because two people may have the same token. */
export function labelServer({ source, chosen, again, author: name }: Wanted): LabelServer {
  const holder = newUuid()
  const author = name || null
  const wanted = { source, again, holder, author, evaluation_ids: [...chosen] }
  return {
    reserve: (held, count) =>
      data(api.POST('/review/reservations', { body: { ...wanted, held, count } })),
    release: () =>
      data(api.DELETE('/review/reservations', { params: { query: { holder } }, keepalive: true })),
    store: async (evaluation_id, { label, utility, comment }: Draft) => {
      if (label === null) throw new Error('a draft without a label is not stored')
      const body = {
        label,
        author,
        ...(utility !== null && { utility_label: utility }),
        ...(comment !== '' && { comment }),
      }
      const path = '/qa-evaluations/{evaluation_id}/feedback'
      const params = { path: { evaluation_id } }
      return (await data(api.POST(path, { params, body, keepalive: true }))).id
    },
    remove: (evaluation_id, feedback_id) =>
      data(
        api.DELETE('/qa-evaluations/{evaluation_id}/feedback/{feedback_id}', {
          params: { path: { evaluation_id, feedback_id } },
          keepalive: true,
        }),
      ),
  }
}
