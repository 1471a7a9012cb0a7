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
  const question: Column<EvaluationRow> = [
    t('columns.question'),
    (row) => <Question row={row} changed={changed.has(row.id)} isOpen={row.id === openId} />,
    { naming: true },
  ]
  const others = columns.map((name): Column<EvaluationRow> => [
    titles[name],
    (row) => <Cell name={name} row={row} />,
    { nowrap: true, numeric: NUMERIC.includes(name), place: PLACES[name] ?? 'rest' },
  ])
  // The verdict first, then what it is of.
  const first = columns[0] === 'status' ? 1 : 0
  return (
    <DataTable
      caption={t('table')}
      columns={[...others.slice(0, first), question, ...others.slice(first)]}
      rows={rows}
      rowKey={({ id }) => id}
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

interface QuestionProps {
  row: EvaluationRow
}

/** Scores of rules stay in API and SQL: their badge says what they conclude. */
const scoreOf = ({ outcome }: EvaluationRow, value: number | null) =>
  percent(outcome ? null : value)

function Moment({ value }: { value: string | null }) {
  if (value === null) return <>–</>
  return <time dateTime={value}>{shortMoment(value)}</time>
}

function Notebook({ row: { notebook_id: id } }: QuestionProps) {
  const { data: notebooks = [] } = useNotebooks()
  return <>{notebooks.find((notebook) => notebook.id === id)?.name ?? '–'}</>
}

function Feature({ row: { feature } }: QuestionProps) {
  const { t } = useTranslation('evaluations')
  // One of another release has no name here.
  return <>{t(`options.feature.${feature as 'writing'}`, { defaultValue: feature })}</>
}

function Language({ row: { lang } }: QuestionProps) {
  const { t } = useTranslation('evaluations')
  return <>{t(`options.lang.${lang as 'ko'}`, { defaultValue: lang })}</>
}

/** Who judged, and who was asked to, where that is another one. */
function Judge({ row }: QuestionProps) {
  const { t } = useTranslation('ai')
  const judge = judgeOf(row) ?? row.judge_model
  return (
    <>
      {judgeName(judge)}
      {judge !== row.judge_model && ` (${t('judgeAsked', { judge: row.judge_model })})`}
    </>
  )
}

function Human({ row: { human } }: QuestionProps) {
  const { t } = useTranslation('evaluations')
  if (!human) return <>–</>
  const said = (['right', 'partly', 'wrong'] as const).filter((label) => human[label] > 0)
  const texts = said.map((label) => `${t(`labels.${label}`)} ${human[label]}`)
  return (
    <>
      {[...texts, ...(human.claims ? [t('claimLabels', { count: human.claims })] : [])].join(' · ')}
    </>
  )
}

function CriterionScores({ row: { criteria } }: QuestionProps) {
  const scores = Object.entries(criteria).map(
    ([name, { label, value }]) => `${name}: ${label ?? percent(value)}`,
  )
  return <>{scores.join(' · ') || '–'}</>
}

/** Opens beside the list. */
function Question({ row, changed, isOpen }: QuestionProps & { changed: boolean; isOpen: boolean }) {
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

/** What a column shows of a row. */
function Cell({ name, row }: QuestionProps & { name: ColumnName }) {
  switch (name) {
    case 'status':
      return <RowStatus row={row} />
    case 'correctness':
    case 'utility':
      return scoreOf(row, row[name])
    case 'overall':
      return scoreOf(row, row.overall_score)
    case 'issues':
      return row.issues
    case 'human':
      return <Human row={row} />
    case 'judge':
      return <Judge row={row} />
    case 'answer_model':
      return row.answer_model ?? '–'
    case 'feature':
      return <Feature row={row} />
    case 'lang':
      return <Language row={row} />
    case 'notebook':
      return <Notebook row={row} />
    case 'cost':
      return roundDollars(row.cost_usd)
    case 'created':
      return <Moment value={row.created_at} />
    case 'finished':
      return <Moment value={row.finished_at} />
    case 'note':
      return <span title={row.cited_title ?? undefined}>{row.cited_title ?? '–'}</span>
    case 'app_version':
    case 'environment':
      return row[name] ?? '–'
    case 'criteria':
      return <CriterionScores row={row} />
  }
}
