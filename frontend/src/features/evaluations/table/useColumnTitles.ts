import { useTranslation } from 'react-i18next'

import { COLUMNS, type ColumnName } from './columns'

/** The headings of the columns, in the reader's language. */
export function useColumnTitles(): Record<ColumnName, string> {
  const { t } = useTranslation(['evaluations', 'ai'])
  const titles = COLUMNS.map((name) => {
    if (name === 'correctness') return [name, t('ai:qaCorrectness')]
    if (name === 'utility') return [name, t('ai:qaUtility')]
    return [name, t(`columns.${name}`)]
  })
  return Object.fromEntries(titles) as Record<ColumnName, string>
}
