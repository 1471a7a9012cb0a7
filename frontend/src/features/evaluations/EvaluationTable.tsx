import { useTranslation } from 'react-i18next'

import { type Column, DataTable } from '@/components/page'
import { Badge, TextLink } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'
import { percent, roundDollars } from '@/lib/figures'
import { judgeOf } from '@/lib/judge'
import { judgeName } from '@/lib/names'

import { RowStatus } from './RowStatus'
import type { EvaluationRow } from './api/list'
import type { Selected } from './bulk/useSelection'
import { shortMoment } from './scores'
import { type ColumnName, useColumnTitles } from './table/columns'

const NUMERIC: readonly ColumnName[] = ['correctness', 'utility', 'overall', 'issues', 'cost']
const NOWRAP: readonly ColumnName[] = [
  ...(['created', 'finished', 'answer_model', 'lang', 'app_version', 'environment'] as const),
]

interface Props {
  rows: EvaluationRow[]
  columns: readonly ColumnName[]
  selected: Selected
  /** Those that changed since they were first shown. */
  changed: ReadonlySet<string>
}

export function EvaluationTable({ rows, columns, selected, changed }: Props) {
  const { t } = useTranslation('evaluations')
  const titles = useColumnTitles()
  const question: Column<EvaluationRow> = {
    header: t('columns.question'),
    cell: (row) => <Question row={row} changed={changed.has(row.id)} />,
  }
  const others = columns.map((name): Column<EvaluationRow> => ({
    header: titles[name],
    cell: (row) => <Cell name={name} row={row} />,
    ...(NUMERIC.includes(name) && { numeric: true }),
    ...(NOWRAP.includes(name) && { nowrap: true }),
  }))
  return (
    <DataTable
      caption={t('table')}
      columns={[question, ...others]}
      rows={rows}
      rowKey={({ id }) => id}
      // What the keyboard goes through stays clear of the bar at the lower edge.
      rowClassName="focus-within:bg-muted scroll-mb-48"
      leading={{
        header: <SelectShown rows={rows} selected={selected} />,
        cell: (row) => <SelectRow row={row} selected={selected} />,
      }}
    />
  )
}

const BOX = 'mt-0.5 size-4'

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

/** Who judged; below it who was asked to, where that is another one. Not broken within a word where
 * the table scrolls. */
function Judge({ row }: QuestionProps) {
  const { t } = useTranslation('ai')
  const judge = judgeOf(row) ?? row.judge_model
  return (
    <span className="grid whitespace-nowrap">
      {judgeName(judge)}
      {judge !== row.judge_model && (
        <span className="text-muted-foreground text-xs">
          {t('judgeAsked', { judge: row.judge_model })}
        </span>
      )}
    </span>
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
  return <span className="break-words">{scores.join(' · ') || '–'}</span>
}

function Question({ row, changed }: QuestionProps & { changed: boolean }) {
  const { t } = useTranslation('evaluations')
  return (
    <div className="grid max-w-md min-w-52 gap-0.5" lang={row.lang}>
      <TextLink plain to={`/evaluations/${row.id}`} className="line-clamp-3 font-medium">
        {row.question}
      </TextLink>
      {changed && (
        <Badge variant="info" className="justify-self-start">
          {t('changed')}
        </Badge>
      )}
      <span className="text-muted-foreground line-clamp-2 font-normal">{row.answer_snippet}</span>
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
    case 'app_version':
    case 'environment':
      return row[name] ?? '–'
    case 'criteria':
      return <CriterionScores row={row} />
  }
}
