import { Copy, Download } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'

import { type Column, DataTable, ErrorState } from '@/components/page'
import {
  Button,
  ButtonLink,
  Card,
  CardTitle,
  Skeleton,
  Spinner,
  Tabs,
  TabsContent,
  TabsList,
  TabsTrigger,
  TextLink,
} from '@/components/ui'
import { copyText } from '@/lib/toast'

import {
  type Column as ResultColumn,
  fileAddress,
  type Filters,
  type QueryName,
  type Result,
  type Row,
  useAnalytics,
} from './api/analytics'
import { behindCell } from './drill'
import { columnKeys, shown, textOf } from './values'

interface Props {
  name: QueryName
  title: string
  filters: Filters
  /** What the figures stand for, in a sentence. */
  note?: (rows: Row[]) => string
  chart: (rows: Row[]) => ReactNode
  /** Says that what is drawn can be clicked; of some rows nothing is. */
  hint?: boolean | ((rows: Row[]) => boolean)
}

/** One query over the verdicts, as a picture, as numbers and as SQL. */
export function ChartCard({ name, title, filters, note, chart, hint = false }: Props) {
  const { t } = useTranslation('quality')
  const { data: result, error, isPending, refetch } = useAnalytics(name, filters)
  return (
    <Card aria-label={title} className="min-w-0">
      <CardTitle className="mb-1">{title}</CardTitle>
      {isPending && <Loading />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {result && !error && (
        <>
          <p className="text-muted-foreground mb-2 min-h-5 text-sm">
            {result.rows.length > 0 && note?.(result.rows)}
          </p>
          <Tabs defaultValue="chart">
            <div className="border-border mb-4 flex flex-wrap-reverse items-end justify-between gap-2 border-b">
              <TabsList aria-label={t('views.label', { title })} className="mb-0 border-b-0">
                <TabsTrigger value="chart">{t('views.chart')}</TabsTrigger>
                <TabsTrigger value="table">{t('views.table')}</TabsTrigger>
                <TabsTrigger value="sql">{t('views.sql')}</TabsTrigger>
              </TabsList>
              <ButtonLink
                href={fileAddress(name, filters)}
                download
                variant="ghost"
                size="sm"
                icon={Download}
              >
                <span className="sr-only">{title}: </span>
                {t('csv')}
              </ButtonLink>
            </div>
            <TabsContent value="chart">
              <Suspense fallback={<Loading />}>
                {result.rows.length > 0 ? chart(result.rows) : <Nothing />}
              </Suspense>
              {result.rows.length > 0 &&
                (typeof hint === 'function' ? hint(result.rows) : hint) && (
                  <p className="text-muted-foreground mt-2 text-xs">{t('drill.hint')}</p>
                )}
            </TabsContent>
            <TabsContent value="table">
              <ResultTable result={result} caption={title} to={behindOf(name, filters)} />
            </TabsContent>
            <TabsContent value="sql">
              <SqlView sql={result.sql} title={title} />
            </TabsContent>
          </Tabs>
        </>
      )}
    </Card>
  )
}

function behindOf(name: QueryName, filters: Filters) {
  return (column: string, row: Row) => behindCell(name, column, row, filters)
}

function Loading() {
  return (
    <>
      <Spinner />
      <Skeleton className="h-64" />
    </>
  )
}

function Nothing() {
  const { t } = useTranslation('quality')
  return <p className="text-muted-foreground py-8 text-center text-sm">{t('nothing')}</p>
}

/** The SQL that gave the numbers, to be run by oneself. */
function SqlView({ sql, title }: { sql: string; title: string }) {
  const { t } = useTranslation('quality')
  return (
    <div className="grid justify-items-start gap-2">
      <Button size="sm" onClick={() => copyText(sql, t('copied'), t('notCopied'))} icon={Copy}>
        {t('copy')}
      </Button>
      <pre
        role="region"
        aria-label={`${title} SQL`}
        // The keyboard must reach what only scrolling shows.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="bg-muted max-h-96 w-full overflow-auto rounded-md p-3 text-xs"
      >
        <code>{sql}</code>
      </pre>
    </div>
  )
}

// Keys of things, not figures; what they lead to is a link instead.
const HIDDEN = new Set(['note_id', 'note_ids'])

interface ResultTableProps {
  result: Result
  caption: string
  /** The evaluations behind a number, where it counts some. */
  to: (column: string, row: Row) => string | undefined
}

/** All numbers of a query, as a table. */
function ResultTable({ result, caption, to }: ResultTableProps) {
  const { t } = useTranslation(['quality', 'ai'])
  const visible = result.columns.filter(({ name }) => !HIDDEN.has(name))
  const text = (column: ResultColumn, row: Row) => shown(column, row[column.name])
  const header = ({ name }: ResultColumn) => t(columnKeys(name), { defaultValue: name })
  const label = (column: ResultColumn, row: Row) =>
    t('drill.figure', {
      value: text(column, row),
      figure: header(column),
      row: visible[0] ? text(visible[0], row) : '',
    })
  const columns = visible.map((column): Column<Row> => [
    header(column),
    (row) => {
      const note = noteOf(column, row)
      return (
        <Cell
          text={text(column, row)}
          to={note ?? to(column.name, row)}
          label={note === undefined ? label(column, row) : undefined}
        />
      )
    },
    { numeric: column.type === 'integer' || column.type === 'number' },
  ])
  return (
    <>
      <div className="max-h-96 overflow-y-auto">
        <DataTable caption={caption} columns={columns} rows={result.rows} />
      </div>
      {result.truncated && <p className="text-muted-foreground mt-2 text-sm">{t('truncated')}</p>}
    </>
  )
}

/** The page of the note that a row is of. */
function noteOf({ name }: ResultColumn, row: Row): string | undefined {
  const note = name === 'title' ? textOf(row, 'note_id') : ''
  return note ? `/notes/${note}` : undefined
}

interface CellProps {
  text: string
  to: string | undefined
  /** What the link leads to, where the text does not say. */
  label: string | undefined
}

function Cell({ text, to, label }: CellProps) {
  if (to === undefined) return <>{text}</>
  return (
    <TextLink plain to={to} aria-label={label}>
      {text}
    </TextLink>
  )
}
