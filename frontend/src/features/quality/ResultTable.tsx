import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { DataTable } from '@/components/page'

import type { Column, Result, Row } from './api/analytics'
import { formatsOf, shown, textOf } from './values'

// Keys of things, not figures; what they lead to is a link instead.
const HIDDEN = new Set(['note_id'])

interface Props {
  result: Result
  caption: string
  /** The evaluations behind a number, where it counts some. */
  to: (column: string, row: Row) => string | undefined
}

/** All numbers of a query, as a table. */
export function ResultTable({ result, caption, to }: Props) {
  const { t, i18n } = useTranslation('quality')
  const formats = formatsOf(i18n.language)
  const visible = result.columns.filter(({ name }) => !HIDDEN.has(name))
  const text = (column: Column, row: Row) => shown(column, row[column.name], formats)
  const header = ({ name }: Column) => t(`columns.${name as 'day'}`, { defaultValue: name })
  const label = (column: Column, row: Row) =>
    t('drill.figure', {
      value: text(column, row),
      figure: header(column),
      row: visible[0] ? text(visible[0], row) : '',
    })
  const columns = visible.map((column) => ({
    key: column.name,
    header: header(column),
    numeric: column.type === 'integer' || column.type === 'number',
    cell: ({ row }: Numbered) => {
      const note = noteOf(column, row)
      return (
        <Cell
          text={text(column, row)}
          to={note ?? to(column.name, row)}
          label={note === undefined ? label(column, row) : undefined}
        />
      )
    },
  }))
  // Rows have no key of their own; their order is the query's.
  const rows = result.rows.map((row, at) => ({ row, at }))
  return (
    <>
      <div className="max-h-96 overflow-y-auto">
        <DataTable
          caption={caption}
          columns={columns}
          rows={rows}
          rowKey={({ at }) => String(at)}
        />
      </div>
      {result.truncated && <p className="text-muted-foreground mt-2 text-sm">{t('truncated')}</p>}
    </>
  )
}

interface Numbered {
  row: Row
  at: number
}

/** The page of the note that a row is of. */
function noteOf({ name }: Column, row: Row): string | undefined {
  const note = name === 'title' ? textOf(row, 'note_id') : ''
  return note ? `/notes/${note}` : undefined
}

interface CellProps {
  text: string
  to: string | undefined
  /** What the link leads to, where the text does not say. */
  label: string | undefined
}

function Cell({ text, to, label }: CellProps) {
  if (to === undefined) return <>{text}</>
  return (
    <Link to={to} aria-label={label} className="underline underline-offset-2">
      {text}
    </Link>
  )
}
