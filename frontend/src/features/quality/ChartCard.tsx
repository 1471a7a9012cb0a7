import { Download } from 'lucide-react'
import { Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import {
  Button,
  Card,
  CardTitle,
  Skeleton,
  Spinner,
  Tabs,
  TabsContent,
  TabsList,
  TabsTrigger,
} from '@/components/ui'

import { ResultTable } from './ResultTable'
import { SqlView } from './SqlView'
import { fileAddress, useAnalytics, type Filters, type QueryName, type Row } from './api/analytics'
import { behindCell } from './drill'

interface Props {
  name: QueryName
  title: string
  filters: Filters
  /** What the figures stand for, in a sentence. */
  note?: (rows: Row[]) => string
  chart: (rows: Row[]) => ReactNode
  /** Says that what is drawn can be clicked. */
  hint?: boolean
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
            <div className="border-border mb-4 flex items-start justify-between gap-2 border-b">
              <TabsList aria-label={t('views.label', { title })} className="mb-0 border-b-0">
                <TabsTrigger value="chart">{t('views.chart')}</TabsTrigger>
                <TabsTrigger value="table">{t('views.table')}</TabsTrigger>
                <TabsTrigger value="sql">{t('views.sql')}</TabsTrigger>
              </TabsList>
              <Button asChild variant="ghost" size="sm">
                <a href={fileAddress(name, filters)} download>
                  <Download aria-hidden />
                  <span className="sr-only">{title}: </span>
                  {t('csv')}
                </a>
              </Button>
            </div>
            <TabsContent value="chart">
              <Suspense fallback={<Loading />}>
                {result.rows.length > 0 ? chart(result.rows) : <Nothing />}
              </Suspense>
              {hint && result.rows.length > 0 && (
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
