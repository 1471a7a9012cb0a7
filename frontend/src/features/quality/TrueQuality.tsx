import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { type Column, ErrorState, WideTable } from '@/components/page'
import { Card, CardTitle, Select, Spinner, TextLink } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'
import { integer, percentTenths } from '@/lib/figures'

import { useTrueQuality, type By, type Corrected, type Filters } from './api/analytics'
import { behindGroup } from './drill'

const GROUPS: By[] = [
  ...(['all', 'day', 'week', 'judge', 'model', 'lang', 'notebook'] as const),
  ...(['app_version', 'environment'] as const),
]
/** A p-value below it is taken for a change. */
const SIGNIFICANT = 0.05

/** What people would say of all answers, by the labels of some and the judge's scores. */
export function TrueQuality({ filters }: { filters: Filters }) {
  const { t } = useTranslation('quality')
  const [by, setBy] = useState<By>('all')
  const { data: found, error, isPending, refetch } = useTrueQuality(by, filters)
  return (
    <Card aria-label={t('true.title')} className="mb-4 min-w-0">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <CardTitle>{t('true.title')}</CardTitle>
        <Select
          label={t('true.by')}
          value={by}
          onValue={setBy}
          options={GROUPS.map((group) => ({ value: group, text: t(`true.groups.${group}`) }))}
        />
      </div>
      <p className="text-muted-foreground mb-2 text-sm">{t('true.lead')}</p>
      {isPending && <Spinner />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {found && !error && <Rows rows={found.rows} width={found.width} {...{ by, filters }} />}
    </Card>
  )
}

interface RowsProps {
  rows: Corrected[]
  width: number
  by: By
  filters: Filters
}

function Rows({ rows, width, by, filters }: RowsProps) {
  const { t } = useTranslation('quality')
  const name = useGroupName(by)
  const notesOf = useNotes(width)
  if (rows.length === 0)
    return <p className="text-muted-foreground py-4 text-center text-sm">{t('nothing')}</p>
  // Groups of one note each say the same of their three measures.
  const notes = rows.flatMap((row) => {
    const measure = t(`true.measures.${row.measure}`)
    const where = by === 'all' ? measure : `${name(row.group)}, ${measure}`
    return notesOf(row).map((note) => `${where}: ${note}`)
  })
  return (
    <>
      <LastChanges rows={rows} />
      <div className="max-h-96 overflow-y-auto">
        <Table {...{ rows, by, name, filters }} />
      </div>
      {notes.length > 0 && (
        <details className="text-muted-foreground mt-2 text-sm" open={notes.length <= 3}>
          <summary>{t('true.notes', { count: notes.length })}</summary>
          <ul className="mt-1 grid gap-1">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** Whether the last period was better than the one before, for each measure. */
function LastChanges({ rows }: { rows: Corrected[] }) {
  const { t } = useTranslation('quality')
  const last = new Map(rows.flatMap((row) => (row.change ? [[row.measure, row] as const] : [])))
  return [...last.values()].map(({ measure, group, change }) => {
    if (!change) return null
    const { p_value, since } = change
    const outcome = p_value >= SIGNIFICANT ? 'same' : change.change > 0 ? 'better' : 'worse'
    return (
      <p key={measure} className="mb-1 text-sm font-medium">
        {t(`true.changed.${outcome}`, {
          measure: t(`true.measures.${measure}`),
          now: group,
          before: since,
          by: percentTenths(Math.abs(change.change)),
          low: percentTenths(change.low),
          high: percentTenths(change.high),
          p: pValue(change),
        })}
      </p>
    )
  })
}

function pValue({ p_value }: NonNullable<Corrected['change']>): string {
  return p_value < 0.001 ? 'p < 0.001' : `p = ${p_value.toFixed(3)}`
}

interface TableProps {
  rows: Corrected[]
  by: By
  name: (group: string | null) => string
  filters: Filters
}

function Table({ rows, by, name, filters }: TableProps) {
  const { t } = useTranslation('quality')
  const bounds = (found: Corrected['corrected']) =>
    found
      ? t('true.interval', {
          value: percentTenths(found.value),
          low: percentTenths(found.low),
          high: percentTenths(found.high),
        })
      : '–'
  const change = (found: Corrected['change']) =>
    found
      ? t('true.change', {
          change: `${found.change > 0 ? '+' : ''}${percentTenths(found.change)}`,
          p: pValue(found),
        })
      : '–'
  const column = (name: string, cell: (row: Corrected) => ReactNode): Column<Corrected> => [
    t(`true.columns.${name as 'raw'}`),
    cell,
    'numeric',
  ]
  const periods = by === 'day' || by === 'week'
  return (
    <WideTable
      caption={t('true.title')}
      rows={rows}
      columns={[
        [
          t('true.columns.measure'),
          (row) => {
            const measure = t(`true.measures.${row.measure}`)
            return by === 'all' ? measure : `${name(row.group)} · ${measure}`
          },
        ],
        column('corrected', (row) => bounds(row.corrected)),
        column('raw', (row) => percentTenths(row.raw)),
        column('labels_only', (row) => bounds(row.labels_only)),
        column('labels', (row) => integer(row.labels)),
        column('answers', (row) => (
          <Answers
            count={integer(row.answers)}
            group={by === 'all' ? t('true.groups.all') : name(row.group)}
            to={behindGroup(by, row.group, filters)}
          />
        )),
        ...(periods ? [column('change', (row) => change(row.change))] : []),
      ]}
    />
  )
}

function Answers({ count, group, to }: { count: string; group: string; to: string | undefined }) {
  const { t } = useTranslation('quality')
  if (to === undefined) return count
  const figure = t('true.columns.answers')
  return (
    <TextLink plain to={to} aria-label={t('drill.figure', { value: count, figure, row: group })}>
      {count}
    </TextLink>
  )
}

/** Notebooks have names; what has none is said to have none. */
function useGroupName(by: By) {
  const { t } = useTranslation('quality')
  const { data: notebooks = [] } = useNotebooks()
  return (group: string | null) => {
    if (group === null) return t('true.none')
    const notebook = by === 'notebook' && notebooks.find(({ id }) => id === group)
    return notebook ? notebook.name : group
  }
}

/** What a row leaves out, and how to make it surer. */
function useNotes(width: number) {
  const { t } = useTranslation('quality')
  return ({ note, more_labels, covered, answers, strata, ...row }: Corrected) => {
    const figures = {
      more: integer(more_labels),
      size: String(more_labels),
      half: percentTenths(width / 2),
      waiting: integer(row.drawn - row.labels),
      covered: integer(covered),
      answers: integer(answers),
      strata: strata.join(', '),
    }
    const partly = strata.length > 0 ? 'partly_covered_strata' : 'partly_covered'
    return [
      ...(note !== null && note !== 'partly_covered' ? [t(`true.note.${note}`, figures)] : []),
      ...(row.corrected && more_labels > 0 && note !== 'labels_alike'
        ? [t('true.note.more', figures)]
        : []),
      ...(row.corrected && covered < answers ? [t(`true.note.${partly}`, figures)] : []),
    ]
  }
}
