import { useTranslation } from 'react-i18next'

import { Button, Checkboxes } from '@/components/ui'

import { COLUMNS, USUAL, type ColumnName } from './columns'
import { useColumnTitles } from './useColumnTitles'

interface Props {
  columns: readonly ColumnName[]
  onChoose: (columns: readonly ColumnName[]) => void
}

/** Which columns the list has besides the question. */
export function ColumnPicker({ columns, onChoose }: Props) {
  const { t } = useTranslation('evaluations')
  const titles = useColumnTitles()
  return (
    <details className="mb-2 text-sm">
      <summary className="min-h-6 font-medium">{t('columns.choose')}</summary>
      <div className="mt-3 grid gap-3">
        <Checkboxes
          className="grid-cols-2 lg:grid-cols-4"
          label={t('columns.shown')}
          hint={t('columns.hint')}
          options={COLUMNS.map((value) => ({ value, text: titles[value] }))}
          value={columns}
          onChange={onChoose}
        />
        <Button
          variant="outline"
          size="sm"
          className="justify-self-start"
          onClick={() => onChoose(USUAL)}
        >
          {t('columns.usual')}
        </Button>
      </div>
    </details>
  )
}
