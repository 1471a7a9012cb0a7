import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { DataTable, type Column } from '@/components/DataTable'
import { Badge } from '@/components/ui/badge'
import { judgeName, judgeOf } from '@/lib/judge'

import { RowStatus } from './RowStatus'
import type { EvaluationRow } from './api/list'
import { moment, percent } from './scores'

interface Props {
  rows: EvaluationRow[]
  /** Those that changed since they were first shown. */
  changed?: ReadonlySet<string>
}

export function EvaluationTable({ rows, changed }: Props) {
  const { t, i18n } = useTranslation(['evaluations', 'ai'])
  const columns: Column<EvaluationRow>[] = [
    {
      key: 'question',
      header: t('columns.question'),
      cell: (row) => <Question row={row} changed={changed?.has(row.id) ?? false} />,
    },
    { key: 'status', header: t('columns.status'), cell: (row) => <RowStatus row={row} /> },
    {
      key: 'correctness',
      header: t('ai:qaCorrectness'),
      numeric: true,
      cell: (row) => percent(row.correctness, i18n.language),
    },
    {
      key: 'utility',
      header: t('ai:qaUtility'),
      numeric: true,
      cell: (row) => percent(row.utility, i18n.language),
    },
    { key: 'issues', header: t('columns.issues'), numeric: true, cell: (row) => row.issues },
    { key: 'human', header: t('columns.human'), cell: (row) => <Human row={row} /> },
    { key: 'judge', header: t('columns.judge'), cell: (row) => <Judge row={row} /> },
    {
      key: 'created',
      header: t('columns.created'),
      cell: (row) => (
        <time dateTime={row.created_at}>{moment(row.created_at, i18n.language, 'short')}</time>
      ),
      nowrap: true,
    },
  ]
  return <DataTable caption={t('table')} columns={columns} rows={rows} rowKey={({ id }) => id} />
}

/** Who judged; below it who was asked to, where that is another one. Not broken within a word where
 * the table scrolls. */
function Judge({ row }: { row: EvaluationRow }) {
  const { t } = useTranslation('ai')
  const judge = judgeOf(row) ?? row.judge_model
  return (
    <span className="grid whitespace-nowrap">
      {judgeName(t, judge)}
      {judge !== row.judge_model && (
        <span className="text-muted-foreground text-xs">
          {t('judgeAsked', { judge: row.judge_model })}
        </span>
      )}
    </span>
  )
}

function Question({ row, changed }: { row: EvaluationRow; changed: boolean }) {
  const { t } = useTranslation('evaluations')
  return (
    <div className="grid max-w-md min-w-52 gap-0.5" lang={row.lang}>
      <Link
        to={`/evaluations/${row.id}`}
        className="line-clamp-3 font-medium underline underline-offset-2"
      >
        {row.question}
      </Link>
      {changed && (
        <Badge variant="info" className="justify-self-start">
          {t('changed')}
        </Badge>
      )}
      <span className="text-muted-foreground line-clamp-2 font-normal">{row.answer_snippet}</span>
    </div>
  )
}

function Human({ row: { human } }: { row: EvaluationRow }) {
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
