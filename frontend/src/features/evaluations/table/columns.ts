import { useTranslation } from 'react-i18next'

/** Columns of the list besides the question, in their order. */
export const COLUMNS = [
  ...(['status', 'correctness', 'utility', 'overall', 'issues', 'human', 'judge'] as const),
  ...(['answer_model', 'feature', 'lang', 'notebook', 'cost', 'created', 'finished'] as const),
  ...(['app_version', 'environment', 'criteria'] as const),
] as const
export type ColumnName = (typeof COLUMNS)[number]

export const USUAL: readonly ColumnName[] = [
  ...(['status', 'correctness', 'utility', 'issues', 'human', 'judge', 'created'] as const),
]

/** What an address says where there are none: an empty text is none in an address. */
const NONE = 'none'
const KEY = 'searchqa.evaluation-columns'

export const isColumn = (name: string): name is ColumnName =>
  (COLUMNS as readonly string[]).includes(name)

/** Those that there are, in their order. */
export function known(names: readonly string[]): ColumnName[] {
  return COLUMNS.filter((name) => names.includes(name))
}

export const written = (names: readonly string[]) => known(names).join(',') || NONE

/** As the browser remembers them, outside of saved views. */
export function remembered(): readonly ColumnName[] {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === null ? USUAL : known(stored.split(','))
  } catch {
    return USUAL
  }
}

export function remember(names: readonly ColumnName[]): void {
  try {
    localStorage.setItem(KEY, written(names))
  } catch {
    // Without leave to store it holds for this visit.
  }
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
