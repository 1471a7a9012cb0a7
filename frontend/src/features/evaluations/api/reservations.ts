import { deleteFeedback, saveFeedback } from '@/hooks/useFeedback'
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

/** What an earlier session had open is given again only once that is released. */
let releasing: Promise<unknown> = Promise.resolve()

const HOLDER = 'searchqa.labelling'

/** The same after a reload, so that what was open is not kept from the window that had it. */
function holderOfTab(): string {
  const holder = sessionStorage.getItem(HOLDER) ?? newUuid()
  sessionStorage.setItem(HOLDER, holder)
  return holder
}

/** Gives answers to this window and keeps their labels, also while it closes. What it has open is
 * under an id of its own, because two people may have the same token. */
export function labelServer({ source, chosen, again, author: name }: Wanted): LabelServer {
  const holder = holderOfTab()
  const author = name || null
  const wanted = { source, again, holder, author, evaluation_ids: [...chosen] }
  return {
    reserve: async (held, count) => {
      await releasing
      return data(api.POST('/review/reservations', { body: { ...wanted, held, count } }))
    },
    release: () => {
      const query = { holder }
      const released = data(
        api.DELETE('/review/reservations', { params: { query }, keepalive: true }),
      )
      releasing = released.catch(() => undefined)
      return released
    },
    store: async (evaluation_id, { label, utility, comment }: Draft) => {
      if (label === null) throw new Error('a draft without a label is not stored')
      const body = {
        label,
        author,
        ...(utility !== null && { utility_label: utility }),
        ...(comment !== '' && { comment }),
      }
      return (await saveFeedback(evaluation_id, body)).id
    },
    remove: deleteFeedback,
  }
}
