import { useState } from 'react'

import { known, remember, remembered, written, type ColumnName } from './columns'

type SetFilters = (changes: Record<string, string | undefined>) => void

/** The columns of a saved view stand in the address, as its filters do; without one, those that
 * this browser remembers count. */
export function useColumns(params: URLSearchParams, setFilters: SetFilters) {
  const [own, setOwn] = useState(remembered)
  const given = params.get('columns')
  const ofAddress = given !== null || params.has('view')
  const columns = given === null ? own : known(given.split(','))
  const choose = (names: readonly ColumnName[]) => {
    if (ofAddress) {
      setFilters({ columns: written(names) })
      return
    }
    remember(names)
    setOwn(known(names))
  }
  return { columns, choose }
}
