import { Repeat } from 'lucide-react'
import { Fragment, memo, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { EmptyState, PageHeader, TextWithCode } from '@/components/page'
import { Button, ButtonLink } from '@/components/ui'
import { useJudgeChanges } from '@/hooks/successions'
import { errorMessage } from '@/lib/errorMessage'
import { day, percentTenths } from '@/lib/figures'

import {
  ConfidenceMix,
  DoubtfulClaims,
  JudgeCost,
  OwnCriteria,
  QualityByDay,
  VerdictLatency,
} from './DayCharts'
import { QualityFilters, useQualityFilters } from './QualityFilters'
import { FrequentIssues, WorstNotes } from './RankingCharts'
import { Summary } from './Summary'
import { TrueQuality } from './TrueQuality'
import { WhatChanged } from './WhatChanged'
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

/** How good the answers were, over time. */
export function QualityPage() {
  const { t } = useTranslation('quality')
  const { period, filters, filtered, setFilters } = useQualityFilters()
  useEffect(preloadCharts, [])
  const { data: daily } = useAnalytics('daily-quality', filters)
  // Asked at once, though it is shown only where there is something in the period.
  const { data: comparison } = useAnalytics('period-comparison', filters)
  const { data: mix } = useAnalytics('confidence-mix', filters)
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        <ButtonLink to="/failures" size="sm" icon={Repeat}>
          {t('failures.title')}
        </ButtonLink>
      </PageHeader>
      <WhatChanged filters={filters} />
      {daily?.rows.length !== 0 && <OverTime filters={filters} />}
      <Alarms />
      <QualityFilters {...{ period, filters }} onChange={setFilters} />
      {daily?.rows.length === 0 ? (
        <Empty filtered={filtered} />
      ) : (
        <>
          {daily && comparison && (
            <Summary compared={comparison.rows} mix={mix?.rows} filters={filters} />
          )}
          <TrueQuality filters={filters} />
          <Charts filters={filters} />
        </>
      )}
    </>
  )
}

/** The one chart of what changed, with releases and other judges marked. */
const OverTime = memo(function OverTime({ filters }: { filters: Filters }) {
  return (
    <div className="mb-4 grid gap-2">
      <QualityByDay filters={filters} />
      <JudgeChanges filters={filters} />
    </div>
  )
})

/** Drawn again only for other filters, which takes longer than all else on the page. */
const Charts = memo(function Charts({ filters }: { filters: Filters }) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <ConfidenceMix filters={filters} />
      <DoubtfulClaims filters={filters} />
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
    <p className="text-muted-foreground text-sm break-words">
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
        {error && (
          <p role="alert">
            <TextWithCode text={errorMessage(error)} />
          </p>
        )}
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
