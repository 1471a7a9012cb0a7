import { Fragment, memo, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { EmptyState, PageHeader } from '@/components/page'
import { Button, ButtonLink, Input, Select } from '@/components/ui'
import { useJudgeChanges } from '@/hooks/successions'
import { useUrlFilters } from '@/hooks/useUrlFilters'
import { useNotebooks } from '@/hooks/workspace'
import { cn } from '@/lib/cn'
import { isDay } from '@/lib/days'
import { errorMessage } from '@/lib/errorMessage'
import { percentTenths } from '@/lib/figures'
import { judgeName } from '@/lib/names'

import { ConfidenceMix, JudgeCost, OwnCriteria, QualityByDay, VerdictLatency } from './DayCharts'
import { FrequentIssues, WorstNotes } from './RankingCharts'
import { Summary } from './Summary'
import { TrueQuality } from './TrueQuality'
import {
  type Alarm,
  type Cause,
  type Filters,
  useAcknowledge,
  useAlarms,
  useAnalytics,
} from './api/analytics'
import { preloadCharts } from './charts/lazy'
import { behindAlarm } from './drill'
import { DEFAULT_DAYS, type Period, periodOf, PRESETS } from './period'
import { day, textOf } from './values'

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
          <JudgeChanges filters={filters} />
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
      <OwnCriteria filters={filters} />
    </div>
  )
})

/** What the marks in the charts stand for. */
function JudgeChanges({ filters: { since, until } }: { filters: Filters }) {
  const { t } = useTranslation('quality')
  const changes = useJudgeChanges().filter(({ day }) => since <= day && day <= until)
  if (changes.length === 0) return null
  return (
    <p className="text-muted-foreground mb-4 text-sm break-words">
      {changes
        .map(({ day: on, from, to }) => t('judgeChange', { day: day(on), from, to }))
        .join(' · ')}{' '}
      <Link className="underline" to="/settings">
        {t('judgeChangesMore')}
      </Link>
    </p>
  )
}

function Empty({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation('quality')
  return filtered ? (
    <EmptyState title={t('empty.noMatch')} text={t('empty.noMatchText')} />
  ) : (
    <EmptyState title={t('empty.title')} text={t('empty.text')}>
      <ButtonLink to="/">{t('empty.ask')}</ButtonLink>
    </EmptyState>
  )
}

/** What has changed and nobody has acknowledged. Without the list the page is as good as before. */
function Alarms() {
  const { t } = useTranslation('quality')
  const { data: found } = useAlarms()
  const open = found?.rows.filter((alarm) => alarm.acknowledged_at === null) ?? []
  if (open.length === 0) return null
  return (
    <section aria-label={t('alarms.title')} className="mb-4">
      <ul className="grid gap-2">
        {open.map((alarm) => (
          <li
            key={alarm.id}
            className="bg-warning-soft text-warning-foreground flex flex-wrap items-start justify-between gap-2 rounded-md p-3 text-sm"
          >
            <Line alarm={alarm} tz={found?.tz ?? 'UTC'} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Line({ alarm, tz }: { alarm: Alarm; tz: string }) {
  const { t } = useTranslation('quality')
  const { mutate, isPending, error } = useAcknowledge()
  const inWords = (cause: Cause) =>
    t('alarms.cause', {
      dimension: t(`alarms.dimensions.${cause.dimension}`),
      value: cause.name ?? cause.value,
      part: percentTenths(cause.part),
    })
  return (
    <>
      <div className="min-w-0">
        <p className="font-medium break-words">
          {t('alarms.line', {
            series: t(`alarms.series.${alarm.series}`),
            judge: alarm.judge_model,
            before: percentTenths(alarm.before),
            after: percentTenths(alarm.after),
            began: day(alarm.began_on),
            noticed: day(alarm.noticed_on),
          })}
        </p>
        <p className="break-words">
          {t('alarms.differs')}{' '}
          {alarm.causes.length === 0
            ? t('alarms.nothing')
            : alarm.causes.map((cause, at) => (
                <Fragment key={`${cause.dimension} ${cause.value}`}>
                  {at > 0 && ', '}
                  <ToEvaluations to={behindAlarm(alarm, tz, cause)}>{inWords(cause)}</ToEvaluations>
                </Fragment>
              ))}
        </p>
        <p>
          <ToEvaluations to={behindAlarm(alarm, tz)}>{t('alarms.evaluations')}</ToEvaluations>
        </p>
        {error && <p role="alert">{errorMessage(error)}</p>}
      </div>
      <Button size="sm" disabled={isPending} onClick={() => mutate(alarm.id)}>
        {t('alarms.acknowledge')}
      </Button>
    </>
  )
}

function ToEvaluations({ to, children }: { to: string | undefined; children: string }) {
  if (to === undefined) return children
  return (
    <Link className="underline" to={to}>
      {children}
    </Link>
  )
}

interface Props {
  period: Period
  model: string
  notebookId: string
  onChange: (changes: Record<string, string | undefined>) => void
}

function QualityFilters({ period, model, notebookId, onChange }: Props) {
  const { t } = useTranslation('quality')
  const { data: judges } = useAnalytics('judge-reliability', period)
  const { data: notebooks = [] } = useNotebooks()
  const asked = judges?.rows.map((row) => textOf(row, 'judge_model')) ?? []
  // What the address names can be chosen even if nobody asked it in this period.
  const models = [...new Set([...asked, model])].filter(Boolean)
  const setEnd = (end: 'since' | 'until') => (day: string) => {
    if (!isDay(day)) return
    const since = end === 'since' ? day : period.since
    const until = end === 'until' ? day : period.until
    // Whoever moves one end past the other means that day.
    const ends = since <= until ? { since, until } : { since: day, until: day }
    onChange({ ...ends, days: undefined })
  }
  return (
    <div className="mb-4 grid gap-3">
      <div role="group" aria-label={t('filters.period')} className="flex flex-wrap gap-1">
        {PRESETS.map((days) => (
          <Button
            key={days}
            size="sm"
            aria-pressed={period.preset === days}
            className={cn(period.preset === days && 'bg-accent text-accent-foreground')}
            onClick={() => onChange({ days: String(days), since: undefined, until: undefined })}
          >
            {t('filters.days', { count: days })}
          </Button>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {(['since', 'until'] as const).map((end) => (
          <Input
            key={end}
            type="date"
            label={t(`filters.${end}`)}
            value={period[end]}
            onChange={(event) => setEnd(end)(event.target.value)}
          />
        ))}
        <Select
          label={t('filters.model')}
          value={model}
          onValue={(model) => onChange({ model })}
          options={models.map((name) => ({ value: name, text: judgeName(name) }))}
          none={t('filters.all')}
        />
        <Select
          label={t('filters.notebook')}
          value={notebookId}
          onValue={(notebook_id) => onChange({ notebook_id })}
          options={notebooks.map(({ id, name }) => ({ value: id, text: name }))}
          none={t('filters.all')}
        />
      </div>
    </div>
  )
}
