import { Download, RefreshCw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { EmptyState, ErrorState } from '@/components/page'
import { Button, Spinner } from '@/components/ui'
import { useUrlFilters } from '@/hooks/useUrlFilters'

import { FilterBar } from './FilterBar'
import { ListTable } from './ListTable'
import { useEvaluations } from './api/list'
import { useLiveEvaluations } from './api/live'
import { RejudgeProgress } from './bulk/RejudgeProgress'
import { countOf, exportAddress, queryOf, type ListQuery } from './filters'
import { ColumnPicker } from './table/ColumnPicker'
import { useColumns } from './table/useColumns'
import { ViewsBar } from './views/ViewsBar'
import { useOpenView } from './views/useOpenView'

/** All verdicts, by a saved view or filters, once the address says which. */
export function EvaluationList() {
  const { params, setFilters } = useUrlFilters()
  const opened = useOpenView(params, setFilters)
  return (
    <>
      <ViewsBar {...{ params, setFilters, opened }} />
      {opened.isOpening ? <Spinner /> : <Filtered {...{ params, setFilters }} />}
    </>
  )
}

/** What matches the filters, as it changes. */
function Filtered({ params, setFilters }: ReturnType<typeof useUrlFilters>) {
  const { t } = useTranslation('evaluations')
  const query = useMemo(() => queryOf(params), [params])
  const list = useEvaluations(query)
  const { changed, added, show } = useLiveEvaluations(query)
  const { columns, choose } = useColumns(params, setFilters)
  const [jobId, setJobId] = useState<string>()
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <FilterBar params={params} onChange={setFilters} />
      <ColumnPicker columns={columns} onChoose={choose} />
      <div className="mb-2 flex min-h-10 flex-wrap items-center justify-between gap-2">
        <div role="status">
          {added.size > 0 && (
            <Button size="sm" onClick={show}>
              <RefreshCw aria-hidden />
              {t('new', { count: added.size })}
            </Button>
          )}
        </div>
        <Exports query={query} />
      </div>
      {jobId !== undefined && <RejudgeProgress id={jobId} onDismiss={() => setJobId(undefined)} />}
      {list.isPending && <Spinner />}
      {list.isError && <ErrorState error={list.error} onRetry={list.refetch} />}
      {list.data && rows.length === 0 && <Empty filtered={countOf(params) > 0} />}
      {rows.length > 0 && (
        <ListTable {...{ query, list, rows, columns, changed }} onRejudge={setJobId} />
      )}
    </>
  )
}

/** Nothing is there yet, or the filters leave nothing. */
function Empty({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation('evaluations')
  return filtered ? (
    <EmptyState title={t('noMatch')} text={t('noMatchText')} />
  ) : (
    <EmptyState title={t('empty')} text={t('emptyText')}>
      <Button asChild variant="outline">
        <Link to="/">{t('ask')}</Link>
      </Button>
    </EmptyState>
  )
}

function Exports({ query }: { query: ListQuery }) {
  const { t } = useTranslation('evaluations')
  return (
    <div className="flex gap-2">
      {(['csv', 'jsonl'] as const).map((format) => (
        <Button key={format} asChild variant="outline" size="sm">
          <a href={exportAddress(query, format)} download>
            <Download aria-hidden />
            {t('export', { format: format.toUpperCase() })}
          </a>
        </Button>
      ))}
    </div>
  )
}
