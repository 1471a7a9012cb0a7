import { useTranslation } from 'react-i18next'

import { type Column, DataTable } from '@/components/page'

import type { EvaluationRow } from './api/list'
import { SelectRow, SelectShown } from './bulk/SelectBoxes'
import type { Selected } from './bulk/useSelection'
import { Cell, Question } from './table/cells'
import type { ColumnName } from './table/columns'
import { useColumnTitles } from './table/useColumnTitles'

const NUMERIC: readonly ColumnName[] = ['correctness', 'utility', 'overall', 'issues', 'cost']
const NOWRAP: readonly ColumnName[] = ['created', 'finished', 'answer_model', 'lang']

interface Props {
  rows: EvaluationRow[]
  columns: readonly ColumnName[]
  selected: Selected
  /** Those that changed since they were first shown. */
  changed: ReadonlySet<string>
}

export function EvaluationTable({ rows, columns, selected, changed }: Props) {
  const { t } = useTranslation('evaluations')
  const titles = useColumnTitles()
  const question: Column<EvaluationRow> = {
    key: 'question',
    header: t('columns.question'),
    cell: (row) => <Question row={row} changed={changed.has(row.id)} />,
  }
  const others = columns.map((name): Column<EvaluationRow> => ({
    key: name,
    header: titles[name],
    cell: (row) => <Cell name={name} row={row} />,
    ...(NUMERIC.includes(name) && { numeric: true }),
    ...(NOWRAP.includes(name) && { nowrap: true }),
  }))
  return (
    <DataTable
      caption={t('table')}
      columns={[question, ...others]}
      rows={rows}
      rowKey={({ id }) => id}
      // What the keyboard goes through stays clear of the bar at the lower edge.
      rowClassName="focus-within:bg-muted scroll-mb-48"
      leading={{
        header: <SelectShown rows={rows} selected={selected} />,
        cell: (row) => <SelectRow row={row} selected={selected} />,
      }}
    />
  )
}
