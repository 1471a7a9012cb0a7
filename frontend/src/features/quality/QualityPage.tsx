import { memo, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { EmptyState, PageHeader } from '@/components/page'
import { Button } from '@/components/ui'
import { useUrlFilters } from '@/hooks/useUrlFilters'

import { Alarms } from './Alarms'
import { ConfidenceMix, JudgeCost, QualityByDay, VerdictLatency } from './DayCharts'
import { QualityFilters } from './QualityFilters'
import { FrequentIssues, WorstNotes } from './RankingCharts'
import { Summary } from './Summary'
import { TrueQuality } from './TrueQuality'
import { useAnalytics, type Filters } from './api/analytics'
import { preloadCharts } from './charts/lazy'
import { DEFAULT_DAYS, periodOf } from './period'

/** How good the answers were, over time. */
export function QualityPage() {
  const { t } = useTranslation('quality')
  const { params, setFilters } = useUrlFilters()
  const period = periodOf(params)
  const model = params.get('model') ?? ''
  const notebookId = params.get('notebook_id') ?? ''
  const { since, until } = period
  const filters: Filters = useMemo(
    () => ({ since, until, model, notebook_id: notebookId }),
    [since, until, model, notebookId],
  )
  useEffect(preloadCharts, [])
  const { data: daily } = useAnalytics('daily-quality', filters)
  // Asked at once, though it is shown only where there is something in the period.
  const { data: comparison } = useAnalytics('period-comparison', filters)
  const { data: mix } = useAnalytics('confidence-mix', filters)
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <Alarms />
      <QualityFilters period={period} model={model} notebookId={notebookId} onChange={setFilters} />
      {daily?.rows.length === 0 ? (
        <Empty filtered={model !== '' || notebookId !== '' || period.preset !== DEFAULT_DAYS} />
      ) : (
        <>
          {daily && comparison && <Summary compared={comparison.rows} mix={mix?.rows} />}
          <TrueQuality filters={filters} />
          <Charts filters={filters} />
        </>
      )}
    </>
  )
}

/** Drawn again only for other filters, which takes longer than all else on the page. */
const Charts = memo(function Charts({ filters }: { filters: Filters }) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <QualityByDay filters={filters} />
      <ConfidenceMix filters={filters} />
      <VerdictLatency filters={filters} />
      <JudgeCost filters={filters} />
      <WorstNotes filters={filters} />
      <FrequentIssues filters={filters} />
    </div>
  )
})

function Empty({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation('quality')
  return filtered ? (
    <EmptyState title={t('empty.noMatch')} text={t('empty.noMatchText')} />
  ) : (
    <EmptyState title={t('empty.title')} text={t('empty.text')}>
      <Button asChild variant="outline">
        <Link to="/">{t('empty.ask')}</Link>
      </Button>
    </EmptyState>
  )
}
