import type { ReactNode } from 'react'

import { Table, Td, Th } from '@/components/ui'
import { cn } from '@/lib/cn'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** Numbers stand on the right. */
  numeric?: boolean
  /** Kept in one line, as dates are. */
  nowrap?: boolean
}

interface Props<Row> {
  /** What the table shows; read out by screen readers. */
  caption: string
  showCaption?: boolean
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  rowClassName?: string
  /** What stands before the first column, as a box to tick. */
  leading?: { header: ReactNode; cell: (row: Row) => ReactNode }
}

/** A table whose first column names each row. */
export function DataTable<Row>({
  caption,
  showCaption = false,
  columns,
  rows,
  rowKey,
  rowClassName,
  leading,
}: Props<Row>) {
  const [first, ...rest] = columns
  const align = (column: Column<Row>) =>
    cn(
      column.numeric && 'text-right tabular-nums',
      (column.numeric ?? column.nowrap) && 'whitespace-nowrap',
    )
  return (
    <Table aria-label={caption}>
      <caption className={showCaption ? 'mb-2 text-left font-medium' : 'sr-only'}>
        {caption}
      </caption>
      <thead>
        <tr>
          {leading && <Th>{leading.header}</Th>}
          {columns.map((column, at) => (
            <Th key={at} className={cn('whitespace-nowrap', align(column))}>
              {column.header}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} className={rowClassName}>
            {leading && <Td>{leading.cell(row)}</Td>}
            {first && (
              <Th scope="row" className={cn('text-foreground align-top', align(first))}>
                {first.cell(row)}
              </Th>
            )}
            {rest.map((column, at) => (
              <Td key={at} className={align(column)}>
                {column.cell(row)}
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** A table of many columns, which scrolls on narrow screens instead of breaking its words. */
export function WideTable<Row>(props: Parameters<typeof DataTable<Row>>[0]) {
  return (
    <div className="min-w-0 [&_.tabular-nums]:whitespace-nowrap [&_table]:min-w-2xl">
      <DataTable {...props} />
    </div>
  )
}
