import { useState } from 'react'

import { MAX_SELECTED } from '../api/bulk'
import type { Matching } from '../api/list'

interface Selection {
  /** Of which list it is. */
  key: string
  ids: ReadonlySet<string>
  /** The last one ticked by itself, from which a range goes. */
  anchor: string | null
  /** How many match, once all of them were asked for. */
  matching: Matching | null
}

export interface Selected {
  ids: ReadonlySet<string>
  matching: Matching | null
  /** Ticks one or not; `range`: with all between it and the one before, which are set alike. */
  toggle: (id: string, range?: boolean) => void
  toggleShown: () => void
  replace: (ids: readonly string[], matching: Matching) => void
  clear: () => void
}

const NONE = { ids: new Set<string>(), anchor: null, matching: null }

/** Rows that are ticked. Another list, by other filters, begins with none: what is not seen is not
 * acted upon. */
export function useSelection(key: string, shown: readonly string[]): Selected {
  const [state, setState] = useState<Selection>({ ...NONE, key })
  const { ids, anchor, matching } = state.key === key ? state : NONE
  const set = (chosen: Iterable<string>, from: string | null) =>
    setState({
      key,
      ids: new Set([...chosen].slice(0, MAX_SELECTED)),
      anchor: from,
      matching: null,
    })
  return {
    ids,
    matching,
    toggle: (id, range = false) => {
      const changed = range ? between(shown, anchor, id) : [id]
      const others = [...ids].filter((each) => !changed.includes(each))
      set(ids.has(id) ? others : [...others, ...changed], id)
    },
    toggleShown: () => {
      const all = shown.every((id) => ids.has(id))
      set(all ? [...ids].filter((id) => !shown.includes(id)) : [...ids, ...shown], null)
    },
    replace: (chosen, count) =>
      setState({ key, ids: new Set(chosen), anchor: null, matching: count }),
    clear: () => set([], null),
  }
}

/** Those from one to the other in the list, both included. */
function between(shown: readonly string[], from: string | null, to: string): string[] {
  const ends = [shown.indexOf(from ?? to), shown.indexOf(to)]
  if (ends.includes(-1)) return [to]
  return shown.slice(Math.min(...ends), Math.max(...ends) + 1)
}
