import { Download, RefreshCw } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { EmptyState, ErrorState, MoreButton } from '@/components/page'
import { Button, ButtonLink, Checkboxes, Spinner } from '@/components/ui'
import { useKeyHelp } from '@/hooks/useKeyHelp'
import { usePageKeys } from '@/hooks/useKeys'
import { useUrlFilters } from '@/hooks/useUrlFilters'

import { EvaluationTable } from './EvaluationTable'
import { FilterBar } from './FilterBar'
import { selectMatching } from './api/bulk'
import { type EvaluationRow, useEvaluations } from './api/list'
import { useLiveEvaluations } from './api/live'
import { RejudgeProgress } from './bulk/RejudgeProgress'
import { SelectionBar } from './bulk/SelectionBar'
import { type Selected, useSelection } from './bulk/useSelection'
import { countOf, exportAddress, type ListQuery, queryOf } from './filters'
import { useLabelSettings } from './label/useLabelSettings'
import {
  type ColumnName,
  COLUMNS,
  known,
  remember,
  remembered,
  useColumnTitles,
  USUAL,
  written,
} from './table/columns'
import { useTestCase } from './testcase/useTestCase'
import { ViewsBar } from './views/ViewsBar'
import { useOpenView } from './views/useOpenView'

const NONE = {}

/** Keys of the list: its rows are gone through by the focus, which stands on their questions, so
 * that Enter opens one. Give `list` what the table lies in. */
function useListKeys(
  rows: readonly EvaluationRow[],
  selected: Selected,
  onTestCase: (row: EvaluationRow) => void,
) {
  const { t } = useTranslation('evaluations')
  const list = useRef<HTMLDivElement>(null)
  const last = useRef(-1)
  const questions = () => [...(list.current?.querySelectorAll<HTMLElement>('tbody th a') ?? [])]
  /** The row that has the focus, or had it last. */
  const here = () => {
    const focused = questions().findIndex((each) =>
      each.closest('tr')?.contains(document.activeElement),
    )
    return focused === -1 ? last.current : focused
  }
  const go = (by: 1 | -1) => {
    const rows = questions()
    last.current = Math.min(rows.length - 1, Math.max(0, here() + by))
    rows[last.current]?.focus({ preventScroll: true })
    rows[last.current]?.closest('tr')?.scrollIntoView({ block: 'nearest' })
  }
  const { settings } = useLabelSettings()
  useKeyHelp(
    settings.keys
      ? [
          { keys: ['j', 'k'], text: t('keys.go') },
          { keys: ['Enter', 'o'], text: t('keys.open') },
          { keys: ['x'], text: t('keys.select') },
          { keys: ['t'], text: t('keys.testCase') },
          { keys: ['Esc'], text: t('keys.clear') },
        ]
      : [],
  )
  const actions = {
    j: () => go(1),
    k: () => go(-1),
    o: () => questions()[here()]?.click(),
    x: () => {
      const row = rows[here()]
      if (row) selected.toggle(row.id)
    },
    t: () => {
      const row = rows[here()]
      if (row) onTestCase(row)
    },
    Escape: selected.clear,
  }
  usePageKeys(settings.keys ? actions : NONE)
  return list
}

type SetFilters = (changes: Record<string, string | undefined>) => void

/** The columns of a saved view stand in the address, as its filters do; without one, those that
 * this browser remembers count. */
function useColumns(params: URLSearchParams, setFilters: SetFilters) {
  const [own, setOwn] = useState(remembered)
  const given = params.get('columns')
  const ofAddress = given !== null || params.has('view')
  const columns = given === null ? own : known(given.split(','))
  const choose = (names: readonly ColumnName[]) => {
    if (ofAddress) {
      setFilters({ columns: written(names) })
      return
    }
    remember(names)
    setOwn(known(names))
  }
  return { columns, choose }
}

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
            <Button variant="primary" size="sm" onClick={show} icon={RefreshCw}>
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
      <ButtonLink to="/">{t('ask')}</ButtonLink>
    </EmptyState>
  )
}

function Exports({ query }: { query: ListQuery }) {
  const { t } = useTranslation('evaluations')
  return (
    <div className="flex gap-2">
      {(['csv', 'jsonl'] as const).map((format) => (
        <ButtonLink
          key={format}
          href={exportAddress(query, format)}
          download
          size="sm"
          icon={Download}
        >
          {t('export', { format: format.toUpperCase() })}
        </ButtonLink>
      ))}
    </div>
  )
}

interface Props {
  columns: readonly ColumnName[]
  onChoose: (columns: readonly ColumnName[]) => void
}

/** Which columns the list has besides the question. */
function ColumnPicker({ columns, onChoose }: Props) {
  const { t } = useTranslation('evaluations')
  const titles = useColumnTitles()
  return (
    <details className="mb-2 text-sm">
      <summary className="min-h-6 font-medium">{t('columns.choose')}</summary>
      <div className="mt-3 grid gap-3">
        <Checkboxes
          className="grid-cols-2 lg:grid-cols-4"
          label={t('columns.shown')}
          hint={t('columns.hint')}
          options={COLUMNS.map((value) => ({ value, text: titles[value] }))}
          value={columns}
          onChange={onChoose}
        />
        <Button size="sm" className="justify-self-start" onClick={() => onChoose(USUAL)}>
          {t('columns.usual')}
        </Button>
      </div>
    </details>
  )
}

interface ListTableProps {
  query: ListQuery
  list: ReturnType<typeof useEvaluations>
  rows: EvaluationRow[]
  columns: readonly ColumnName[]
  changed: ReadonlySet<string>
  onRejudge: (jobId: string) => void
}

/** The rows, gone through by keys, and what is done with those that are ticked. */
function ListTable({ query, list, rows, columns, changed, onRejudge }: ListTableProps) {
  const shown = rows.map(({ id }) => id)
  const selected = useSelection(JSON.stringify(query), shown)
  const testCase = useTestCase()
  const keys = useListKeys(rows, selected, ({ id, question, lang }) =>
    testCase.open({ evaluationId: id, question, lang }),
  )
  return (
    <>
      {testCase.dialog}
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
