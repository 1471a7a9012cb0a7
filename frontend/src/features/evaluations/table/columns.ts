import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { store, stored } from '@/lib/stored'

/** Columns of the list besides the question, in their order. */
export const COLUMNS = [
  ...(['status', 'answer_model', 'app_version', 'note', 'created', 'correctness'] as const),
  ...(['utility', 'overall', 'issues', 'human', 'judge', 'feature', 'lang'] as const),
  ...(['notebook', 'cost', 'finished', 'environment', 'criteria'] as const),
] as const
export type ColumnName = (typeof COLUMNS)[number]

export const USUAL: readonly ColumnName[] = COLUMNS.slice(0, 5)

/** What an address says where there are none: an empty text is none in an address. */
const NONE = 'none'
const KEY = 'searchqa.evaluation-columns'

export const isColumn = (name: string): name is ColumnName =>
  (COLUMNS as readonly string[]).includes(name)

/** Those that there are, in their order. */
function known(names: readonly string[]): ColumnName[] {
  return COLUMNS.filter((name) => names.includes(name))
}

export const written = (names: readonly string[]) => known(names).join(',') || NONE

/** As the browser remembers them, outside of saved views. */
function remembered(): readonly ColumnName[] {
  const names = stored(KEY)
  return names === null ? USUAL : known(names.split(','))
}

/** The columns of a saved view stand in the address, as its filters do; without one, those that
 * this browser remembers count. */
export function useColumns(
  params: URLSearchParams,
  setFilters: (changes: Record<string, string | undefined>) => void,
) {
  const [own, setOwn] = useState(remembered)
  const given = params.get('columns')
  const ofAddress = given !== null || params.has('view')
  const columns = given === null ? own : known(given.split(','))
  const choose = (names: readonly ColumnName[]) => {
    if (ofAddress) {
      setFilters({ columns: written(names) })
      return
    }
    store(KEY, written(names))
    setOwn(known(names))
  }
  return { columns, choose }
}

/** The headings of the columns, in the reader's language. */
export function useColumnTitles(): Record<ColumnName, string> {
  const { t } = useTranslation(['evaluations', 'ai'])
  const titles = COLUMNS.map((name) => {
    if (name === 'correctness') return [name, t('ai:qaCorrectness')]
    if (name === 'utility') return [name, t('ai:qaUtility')]
    if (name === 'app_version' || name === 'environment') return [name, t(`filters.${name}`)]
    if (name === 'criteria') return [name, t('criteria.title')]
    return [name, t(`columns.${name}`)]
  })
  return Object.fromEntries(titles) as Record<ColumnName, string>
}
