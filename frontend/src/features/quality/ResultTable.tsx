import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { DataTable } from '@/components/DataTable'

import type { Column, Result, Row } from './api/analytics'
import { formatsOf, shown, textOf } from './values'

// Keys of things, not figures; what they lead to is a link instead.
const HIDDEN = new Set(['note_id'])

/** All numbers of a query, as a table. */
export function ResultTable({ result, caption }: { result: Result; caption: string }) {
  const { t, i18n } = useTranslation('quality')
  const formats = formatsOf(i18n.language)
  const columns = result.columns
    .filter(({ name }) => !HIDDEN.has(name))
    .map((column) => ({
      key: column.name,
      header: t(`columns.${column.name as 'day'}`, { defaultValue: column.name }),
      numeric: column.type === 'integer' || column.type === 'number',
      cell: (row: Numbered) => <Cell column={column} row={row.row} text={cell(column, row.row)} />,
    }))
  const cell = (column: Column, row: Row) => shown(column, row[column.name], formats)
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

function Cell({ column, row, text }: { column: Column; row: Row; text: string }) {
  const note = column.name === 'title' ? textOf(row, 'note_id') : ''
  if (!note) return <>{text}</>
  return (
    <Link to={`/notes/${note}`} className="underline underline-offset-2">
      {text}
    </Link>
  )
}
