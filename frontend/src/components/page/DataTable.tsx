import type { ReactNode } from 'react'

import { Table, Td, Th } from '@/components/ui'
import { cn } from '@/lib/cn'

interface Look {
  /** Numbers stand on the right. */
  numeric?: boolean
  /** Kept in one line, as dates are. */
  nowrap?: boolean
  /** Names the row, in place of the first column. */
  naming?: boolean
  /** In a dense table: what a card begins with, at its other end, and what gives way to the rest. */
  place?: keyof typeof PLACES
}

export type Column<Row> = readonly [
  header: string,
  cell: (row: Row) => ReactNode,
  look?: 'numeric' | 'nowrap' | Look,
]

// Rows of one line. In a container that is narrower each is a card: what it begins and ends with, the
// column that names it, and the rest below, without headers and so without what is missing.
const DENSE = cn(
  '[&_td]:py-1 [&_td]:align-middle [&_th]:py-1 [&_th]:align-middle @xl:[&_tbody_tr]:h-9',
  '@max-xl:block @max-xl:[&_thead]:sr-only @max-xl:[&_tbody]:block',
  '@max-xl:[&_tr]:border-border @max-xl:[&_tr]:flex @max-xl:[&_tr]:flex-wrap @max-xl:[&_tr]:border-b',
  '@max-xl:[&_tr]:items-center @max-xl:[&_tr]:gap-x-3 @max-xl:[&_tr]:p-2 @max-xl:[&_td]:order-3 @max-xl:[&_td:first-child]:order-none',
  '@max-xl:[&_td]:border-0 @max-xl:[&_td]:p-0 @max-xl:[&_th]:border-0 @max-xl:[&_th]:p-0',
  '@max-xl:[&_td:has(>[data-none])]:hidden',
)
const NAMING = 'w-full max-w-0 min-w-44 @max-xl:order-2 @max-xl:max-w-none'
const PLACES = {
  first: '@max-xl:order-none!',
  last: '@max-xl:order-none! @max-xl:ml-auto',
  rest: 'max-w-44 truncate text-muted-foreground @xl:@max-3xl:hidden',
}

interface Props<Row> {
  /** What the table shows; read out by screen readers. */
  caption: string
  showCaption?: boolean
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** What tells rows without an `id` apart; without it, their places do. */
  rowKey?: (row: Row) => string | undefined
  /** Rows of one line, and cards where there is little room; give it a container. */
  dense?: boolean
  rowClassName?: (row: Row) => string
  /** What stands before the first column, as a box to tick. */
  leading?: { header: ReactNode; cell: (row: Row) => ReactNode }
}

const idOf = (row: unknown) => (row as { id?: string }).id

/** A table one of whose columns names each row: the first, unless another is said to. */
export function DataTable<Row>({
  caption,
  showCaption = false,
  columns,
  rows,
  rowKey = idOf,
  dense = false,
  rowClassName,
  leading,
}: Props<Row>) {
  const shown = columns.map(([header, cell, look = {}]) => ({
    ...{ header, cell },
    ...(typeof look === 'string' ? { [look]: true } : look),
  })) as ({ header: string; cell: (row: Row) => ReactNode } & Look)[]
  const naming = shown.find((column) => column.naming) ?? shown[0]
  const look = (column: Look) =>
    cn(
      column.numeric && 'text-right tabular-nums',
      (column.numeric ?? column.nowrap) && 'whitespace-nowrap',
      dense && (column === naming ? NAMING : column.place && PLACES[column.place]),
    )

  return (
    <Table aria-label={caption} className={cn(dense && DENSE)}>
      <caption className={showCaption ? 'mb-2 text-left font-medium' : 'sr-only'}>
        {caption}
      </caption>
      <thead>
        <tr>
          {leading && <Th className="whitespace-nowrap">{leading.header}</Th>}
          {shown.map((column, at) => (
            <Th key={at} className={cn('whitespace-nowrap', look(column))}>
              {column.header}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={rowKey(row) ?? at} className={rowClassName?.(row)}>
            {leading && <Td>{leading.cell(row)}</Td>}
            {shown.map((column, at) =>
              column === naming ? (
                <Th
                  key={at}
                  scope="row"
                  className={cn('text-foreground min-w-24 align-top', look(column))}
                >
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
export function WideTable<Row>(props: Props<Row>) {
  return (
    <div className="min-w-0 wrap-break-word [&_.tabular-nums]:whitespace-nowrap [&_table]:min-w-2xl [&_tbody_th]:min-w-32 [&_tbody_th]:wrap-anywhere">
      <DataTable {...props} />
    </div>
  )
}
