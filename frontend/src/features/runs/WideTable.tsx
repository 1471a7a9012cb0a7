import { DataTable } from '@/components/page'

/** A table of many columns, which scrolls on narrow screens instead of breaking its words. */
export function WideTable<Row>(props: Parameters<typeof DataTable<Row>>[0]) {
  return (
    <div className="min-w-0 [&_.tabular-nums]:whitespace-nowrap [&_table]:min-w-2xl">
      <DataTable {...props} />
    </div>
  )
}
