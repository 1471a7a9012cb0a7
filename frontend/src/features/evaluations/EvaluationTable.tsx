import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'

import { type Column, DataTable } from '@/components/page'
import { Badge } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'
import { cn } from '@/lib/cn'
import { percent, roundDollars } from '@/lib/figures'
import { judgeOf } from '@/lib/judge'
import { judgeName } from '@/lib/names'

import { RowStatus } from './RowStatus'
import type { EvaluationRow } from './api/list'
import type { Selected } from './bulk/useSelection'
import { shortMoment } from './scores'
import { type ColumnName, useColumnTitles } from './table/columns'

const NUMERIC: readonly ColumnName[] = ['correctness', 'utility', 'overall', 'issues', 'cost']
/** The others give way in a list that is narrow, as beside an opened verdict. */
const PLACES: Partial<Record<ColumnName, 'first' | 'last'>> = { status: 'first', created: 'last' }

interface Props {
  rows: EvaluationRow[]
  columns: readonly ColumnName[]
  selected: Selected
  /** Those that changed since they were first shown. */
  changed: ReadonlySet<string>
  /** The one that the panel shows. */
  openId: string | null
}

export function EvaluationTable({ rows, columns, selected, changed, openId }: Props) {
  const { t } = useTranslation('evaluations')
  const titles = useColumnTitles()
  const cells = useCells()
  const question: Column<EvaluationRow> = [
    t('columns.question'),
    (row) => <Question row={row} changed={changed.has(row.id)} isOpen={row.id === openId} />,
    { naming: true },
  ]
  const others = columns.map((name): Column<EvaluationRow> => [
    titles[name],
    cells[name],
    {
      nowrap: true,
      ...(NUMERIC.includes(name) && { numeric: true }),
      place: PLACES[name] ?? 'rest',
    },
  ])
  // The verdict first, then what it is of.
  const first = columns[0] === 'status' ? 1 : 0
  return (
    <DataTable
      caption={t('table')}
      columns={[...others.slice(0, first), question, ...others.slice(first)]}
      rows={rows}
      dense
      // What the keyboard goes through stays clear of the bar at the lower edge.
      rowClassName={({ id }) =>
        cn('focus-within:bg-muted scroll-mt-16 scroll-mb-48', id === openId && 'bg-accent')
      }
      leading={{
        header: <SelectShown rows={rows} selected={selected} />,
        cell: (row) => <SelectRow row={row} selected={selected} />,
      }}
    />
  )
}

const BOX = 'block size-4'

/** Ticks one row; with Shift also those between it and the last one. */
function SelectRow({ row, selected }: { row: EvaluationRow; selected: Selected }) {
  const { t } = useTranslation('evaluations')
  return (
    <input
      type="checkbox"
      className={BOX}
      aria-label={t('bulk.selectRow', { question: row.question })}
      checked={selected.ids.has(row.id)}
      onChange={({ nativeEvent }) =>
        selected.toggle(row.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
  )
}

/** Ticks all rows that are shown, or none of them. */
function SelectShown({ rows, selected }: { rows: EvaluationRow[]; selected: Selected }) {
  const { t } = useTranslation('evaluations')
  const ticked = rows.filter(({ id }) => selected.ids.has(id)).length
  return (
    <input
      type="checkbox"
      className={BOX}
      aria-label={t('bulk.selectShown')}
      checked={ticked === rows.length}
      ref={(box) => {
        if (box) box.indeterminate = ticked > 0 && ticked < rows.length
      }}
      onChange={selected.toggleShown}
    />
  )
}

/** Scores of rules stay in API and SQL: their badge says what they conclude. */
const scoreOf = ({ outcome }: EvaluationRow, value: number | null) =>
  percent(outcome ? null : value)

const NONE = <span data-none>–</span>

/** What each column shows of a row. */
function useCells(): Record<ColumnName, (row: EvaluationRow) => ReactNode> {
  const { t } = useTranslation(['evaluations', 'ai'])
  const timeOf = (value: string | null) =>
    value === null ? '–' : <time dateTime={value}>{shortMoment(value)}</time>
  return {
    status: (row) => <RowStatus row={row} />,
    correctness: (row) => scoreOf(row, row.correctness),
    utility: (row) => scoreOf(row, row.utility),
    overall: (row) => scoreOf(row, row.overall_score),
    issues: (row) => row.issues,
    human: ({ human }) => {
      if (!human) return '–'
      const said = (['right', 'partly', 'wrong'] as const).filter((label) => human[label] > 0)
      const texts = said.map((label) => `${t(`labels.${label}`)} ${human[label]}`)
      const claims = human.claims ? [t('claimLabels', { count: human.claims })] : []
      return [...texts, ...claims].join(' · ')
    },
    // Who judged, and who was asked to, where that is another one.
    judge: (row) => {
      const judge = judgeOf(row) ?? row.judge_model
      if (judge === row.judge_model) return judgeName(judge)
      return `${judgeName(judge)} (${t('ai:judgeAsked', { judge: row.judge_model })})`
    },
    answer_model: (row) => row.answer_model ?? NONE,
    // One of another release has no name here.
    feature: ({ feature }) =>
      t(`options.feature.${feature as 'writing'}`, { defaultValue: feature }),
    lang: ({ lang }) => t(`options.lang.${lang as 'ko'}`, { defaultValue: lang }),
    notebook: (row) => <Notebook id={row.notebook_id} />,
    cost: (row) => roundDollars(row.cost_usd),
    created: (row) => timeOf(row.created_at),
    finished: (row) => timeOf(row.finished_at),
    note: ({ cited_title: title }) => (title === null ? NONE : <span title={title}>{title}</span>),
    app_version: (row) => row.app_version ?? NONE,
    environment: (row) => row.environment ?? NONE,
    criteria: ({ criteria }) =>
      Object.entries(criteria)
        .map(([name, { label, value }]) => `${name}: ${label ?? percent(value)}`)
        .join(' · ') || '–',
  }
}

/** Notebooks are asked for where the column is shown. */
function Notebook({ id }: { id: string | null }) {
  const { data: notebooks = [] } = useNotebooks()
  return notebooks.find((notebook) => notebook.id === id)?.name ?? '–'
}

interface QuestionProps {
  row: EvaluationRow
  changed: boolean
  isOpen: boolean
}

/** Opens beside the list. */
function Question({ row, changed, isOpen }: QuestionProps) {
  const { t } = useTranslation('evaluations')
  const [params] = useSearchParams()
  const opened = new URLSearchParams(params)
  opened.set('open', row.id)
  return (
    <div className="flex items-center gap-2" lang={row.lang}>
      {changed && <Badge variant="info">{t('changed')}</Badge>}
      <Link
        to={{ search: `?${opened}` }}
        preventScrollReset
        aria-current={isOpen || undefined}
        title={row.question}
        className="truncate font-medium hover:underline @max-xl:line-clamp-2 @max-xl:whitespace-normal"
      >
        {row.question}
      </Link>
    </div>
  )
}
