import { useTranslation } from 'react-i18next'

import type { EvaluationRow } from '../api/list'

import type { Selected } from './useSelection'

const BOX = 'mt-0.5 size-4'

/** Ticks one row; with Shift also those between it and the last one. */
export function SelectRow({ row, selected }: { row: EvaluationRow; selected: Selected }) {
  const { t } = useTranslation('evaluations')
  return (
    <input
      type="checkbox"
      className={BOX}
      aria-label={t('bulk.selectRow', { question: row.question })}
      checked={selected.ids.has(row.id)}
      onChange={({ nativeEvent }) =>
        selected.toggle(row.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
  )
}

/** Ticks all rows that are shown, or none of them. */
export function SelectShown({ rows, selected }: { rows: EvaluationRow[]; selected: Selected }) {
  const { t } = useTranslation('evaluations')
  const ticked = rows.filter(({ id }) => selected.ids.has(id)).length
  return (
    <input
      type="checkbox"
      className={BOX}
      aria-label={t('bulk.selectShown')}
      checked={ticked === rows.length}
      ref={(box) => {
        if (box) box.indeterminate = ticked > 0 && ticked < rows.length
      }}
      onChange={selected.toggleShown}
    />
  )
}
