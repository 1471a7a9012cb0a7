import { MoreButton } from '@/components/page'

import { EvaluationTable } from './EvaluationTable'
import { selectMatching } from './api/bulk'
import type { EvaluationRow, useEvaluations } from './api/list'
import { SelectionBar } from './bulk/SelectionBar'
import { useSelection } from './bulk/useSelection'
import type { ListQuery } from './filters'
import type { ColumnName } from './table/columns'
import { useListKeys } from './useListKeys'

interface Props {
  query: ListQuery
  list: ReturnType<typeof useEvaluations>
  rows: EvaluationRow[]
  columns: readonly ColumnName[]
  changed: ReadonlySet<string>
  onRejudge: (jobId: string) => void
}

/** The rows, gone through by keys, and what is done with those that are ticked. */
export function ListTable({ query, list, rows, columns, changed, onRejudge }: Props) {
  const shown = rows.map(({ id }) => id)
  const selected = useSelection(JSON.stringify(query), shown)
  const keys = useListKeys(shown, selected)
  return (
    <>
      <div ref={keys}>
        <EvaluationTable {...{ rows, columns, selected, changed }} />
      </div>
      <MoreButton list={list} />
      <SelectionBar
        selected={selected}
        onSelectAll={
          list.hasNextPage
            ? async () => {
                const { ids, matching } = await selectMatching(query)
                selected.replace(ids, matching)
              }
            : null
        }
        onRejudge={({ job }) => {
          selected.clear()
          onRejudge(job.id)
        }}
      />
    </>
  )
}
