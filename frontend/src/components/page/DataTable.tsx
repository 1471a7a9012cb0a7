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
  /** Names the row, in place of the first column. */
  naming?: boolean
  className?: string | undefined
}

interface Props<Row> {
  /** What the table shows; read out by screen readers. */
  caption: string
  showCaption?: boolean
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  className?: string | undefined
  rowClassName?: (row: Row) => string
  /** What stands before the first column, as a box to tick. */
  leading?: { header: ReactNode; cell: (row: Row) => ReactNode }
}

/** A table one of whose columns names each row: the first, unless another is said to. */
export function DataTable<Row>({
  caption,
  showCaption = false,
  columns,
  rows,
  rowKey,
  className,
  rowClassName,
  leading,
}: Props<Row>) {
  const naming = columns.find((column) => column.naming) ?? columns[0]
  const look = (column: Column<Row>) =>
    cn(
      column.numeric && 'text-right tabular-nums',
      (column.numeric ?? column.nowrap) && 'whitespace-nowrap',
      column.className,
    )
  return (
    <Table aria-label={caption} className={className}>
      <caption className={showCaption ? 'mb-2 text-left font-medium' : 'sr-only'}>
        {caption}
      </caption>
      <thead>
        <tr>
          {leading && <Th>{leading.header}</Th>}
          {columns.map((column, at) => (
            <Th key={at} className={cn('whitespace-nowrap', look(column))}>
              {column.header}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} className={rowClassName?.(row)}>
            {leading && <Td>{leading.cell(row)}</Td>}
            {columns.map((column, at) =>
              column === naming ? (
                <Th key={at} scope="row" className={cn('text-foreground align-top', look(column))}>
                  {column.cell(row)}
                </Th>
              ) : (
                <Td key={at} className={look(column)}>
                  {column.cell(row)}
                </Td>
              ),
            )}
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
