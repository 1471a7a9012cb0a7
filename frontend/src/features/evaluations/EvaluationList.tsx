import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { EmptyState, ErrorState, MoreButton } from '@/components/page'
import { ButtonLink, IconButton, Spinner } from '@/components/ui'
import { useTestCase } from '@/components/useTestCase'
import { usePageKeys } from '@/hooks/useKeys'
import type { useUrlFilters } from '@/hooks/useUrlFilters'
import { useVerdict } from '@/hooks/useVerdict'
import { cn } from '@/lib/cn'

import { EvaluationTable } from './EvaluationTable'
import { FilterBar } from './FilterBar'
import { selectMatching } from './api/bulk'
import { type EvaluationRow, useEvaluations } from './api/list'
import { useLiveEvaluations } from './api/live'
import { RejudgeProgress } from './bulk/RejudgeProgress'
import { SelectionBar } from './bulk/SelectionBar'
import { useSelection } from './bulk/useSelection'
import { Evidence } from './detail/Evidence'
import { countOf, listedBy, type ListQuery } from './filters'
import { type ColumnName, useColumns } from './table/columns'
import { useListKeys } from './useListKeys'

/** All verdicts that match the address, as they change, and the one that it opens beside them. */
export function EvaluationList({ params, setFilters }: ReturnType<typeof useUrlFilters>) {
  const query = useMemo(() => listedBy(params), [params])
  const list = useEvaluations(query)
  const live = useLiveEvaluations(query)
  const [jobId, setJobId] = useState<string>()
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  const openId = params.get('open')
  // Gone through by keys they are no steps that Back would undo.
  const open = (id: string | null) =>
    setFilters({ open: id ?? undefined }, { replace: true, preventScrollReset: true })
  const shown = useColumns(params, setFilters)
  return (
    <div
      className={cn(openId !== null && 'gap-x-4 max-xl:invisible xl:grid xl:grid-cols-[3fr_2fr]')}
    >
      <div className="@container col-span-2">
        <FilterBar
          {...{ params, query, shown }}
          onChange={setFilters}
          news={{ count: live.added.size, show: live.show }}
        />
      </div>
      <div className="@container min-w-0">
        {jobId !== undefined && (
          <RejudgeProgress id={jobId} onDismiss={() => setJobId(undefined)} />
        )}
        {list.isPending && <Spinner />}
        {list.isError && <ErrorState error={list.error} onRetry={list.refetch} />}
        {list.data && rows.length === 0 && <Empty filtered={countOf(params) > 0} />}
        {rows.length > 0 && (
          <ListTable
            {...{ query, list, rows, openId }}
            columns={shown.columns}
            changed={live.changed}
            onOpen={open}
            onRejudge={setJobId}
          />
        )}
      </div>
      {openId !== null && <OpenVerdict id={openId} rows={rows} onOpen={open} />}
    </div>
  )
}

/** Nothing is there yet, or the filters leave nothing. */
function Empty({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation('evaluations')
  return filtered ? (
    <EmptyState title={t('noMatch')} text={t('noMatchText')} />
  ) : (
    <EmptyState title={t('empty')} text={t('emptyText')}>
      <ButtonLink to="/">{t('ask')}</ButtonLink>
    </EmptyState>
  )
}

interface ListTableProps {
  query: ListQuery
  list: ReturnType<typeof useEvaluations>
  rows: EvaluationRow[]
  columns: readonly ColumnName[]
  changed: ReadonlySet<string>
  openId: string | null
  onOpen: (id: string) => void
  onRejudge: (jobId: string) => void
}

/** The rows, gone through by keys, and what is done with those that are ticked. */
function ListTable({ query, list, rows, onOpen, onRejudge, ...shown }: ListTableProps) {
  const ids = rows.map(({ id }) => id)
  const selected = useSelection(JSON.stringify(query), ids)
  const testCase = useTestCase()
  const table = useListKeys({
    ...{ rows, selected, onOpen, openId: shown.openId },
    onTestCase: ({ id, question, lang }) => testCase.open({ evaluationId: id, question, lang }),
  })
  return (
    <>
      {testCase.dialog}
      <div ref={table}>
        <EvaluationTable {...{ rows, selected, ...shown }} />
      </div>
      <MoreButton list={list} />
      <SelectionBar
        selected={selected}
        onSelectAll={
          list.hasNextPage
            ? async () => {
                const { ids, ...matching } = await selectMatching(query)
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

interface Props {
  id: string
  rows: readonly EvaluationRow[]
  /** Null closes it. */
  onOpen: (id: string | null) => void
}

/** The verdict that is open, with its evidence: beside the list, or in its place where there is no
 * room for both. */
function OpenVerdict({ id, rows, onOpen }: Props) {
  const { t } = useTranslation(['evaluations', 'common'])
  const { view, error } = useVerdict(id)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  usePageKeys({ Escape: () => onOpen(null) })
  const at = rows.findIndex((row) => row.id === id)
  const steps = [
    ['previous', ChevronUp, rows[at - 1]],
    ['next', ChevronDown, at === -1 ? undefined : rows[at + 1]],
  ] as const
  return (
    <section
      aria-labelledby="open-verdict"
      className="bg-background border-border visible fixed inset-0 top-14 z-20 overflow-y-auto overscroll-contain px-4 pb-4 md:left-52 xl:sticky xl:bottom-auto xl:h-[calc(100dvh-3.5rem)] xl:border-l xl:pr-0"
    >
      <div className="bg-background sticky top-0 z-10 flex items-center gap-1 py-1">
        <h2
          id="open-verdict"
          ref={heading}
          tabIndex={-1}
          className="mr-auto font-semibold outline-none"
        >
          {t('detail.title')}
        </h2>
        {steps.map(([name, icon, row]) => (
          <IconButton
            key={name}
            label={t(`panel.${name}`)}
            disabled={!row}
            onClick={() => row && onOpen(row.id)}
            icon={icon}
          />
        ))}
        <ButtonLink size="sm" to={`/evaluations/${id}`}>
          {t('panel.page')}
        </ButtonLink>
        <IconButton label={t('common:close')} onClick={() => onOpen(null)} icon={X} />
      </div>
      {error && <ErrorState error={error} />}
      {!view && !error && <Spinner />}
      {/* Who looks for stopped verdicts wants this first. */}
      {view?.error && view.status !== 'succeeded' && (
        <p lang="en" className="bg-danger-soft text-danger-foreground mb-2 rounded-md p-2 text-sm">
          {view.error}
        </p>
      )}
      {view && !error && <Evidence key={id} view={view} />}
    </section>
  )
}
