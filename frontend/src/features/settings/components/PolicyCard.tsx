import type { ComponentProps } from 'react'
import { Trans, useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Badge, Card, ProgressBar, Skeleton, Spinner } from '@/components/ui'
import { useWho } from '@/hooks/workspace'
import { cn } from '@/lib/cn'
import { count, dollars, localDate, localTime, percentTenths } from '@/lib/figures'

import { type Settings, usePolicy } from '../api/policy'

import { PolicyForm } from './PolicyForm'
import { OWN } from './Statement'

export function PolicyCard({ finds }: Pick<ComponentProps<typeof PolicyForm>, 'finds'>) {
  const { t } = useTranslation('settings')
  const { data: settings, error, refetch } = usePolicy()
  const { data: who } = useWho()
  const mayChange = who?.scopes.includes('admin') ?? false
  return (
    <Card title={t('policy.title')}>
      <p className="text-muted-foreground -mt-2 mb-4 text-sm">
        <Trans
          t={t}
          i18nKey="policy.legend"
          components={{ own: <span className={cn(OWN, 'text-foreground')} /> }}
        />{' '}
        {t(mayChange ? 'policy.lead' : 'policy.adminOnly')}
      </p>
      {settings ? (
        <>
          <Standing settings={settings} />
          <PolicyForm {...{ settings, mayChange, finds }} />
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <>
          <Spinner />
          <Skeleton className="mt-2 h-64" />
        </>
      )}
    </Card>
  )
}

/** What cannot work as things stand, today's budget, and what is guaranteed. */
function Standing({
  settings: { problems, budget, effective, calibrations },
}: {
  settings: Settings
}) {
  const { t } = useTranslation('settings')
  const limit = effective.daily_budget_usd ?? 0
  return (
    <div className="mb-6 grid gap-4 empty:hidden">
      {problems.length > 0 && (
        <ul className="bg-warning-soft text-warning-foreground grid list-disc gap-1 rounded-md p-3 pl-8 text-sm">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {budget && limit > 0 && (
        <div className="grid gap-1">
          <ProgressBar
            label={t('policy.budget')}
            value={(budget.spent_usd + budget.held_usd) / limit}
            text={`${dollars(budget.spent_usd)} / ${dollars(limit)}`}
            tone={budget.spent_usd >= limit ? 'danger' : 'neutral'}
          />
          <p className="text-muted-foreground text-sm">
            {t('policy.budgetMore', {
              held: dollars(budget.held_usd),
              deferred: budget.deferred,
              until: localTime(budget.day_end),
            })}
          </p>
        </div>
      )}
      <Guarantees calibrations={calibrations} />
    </div>
  )
}

/** Which judges have a guarantee for "high", from which score on, and what it rests on. */
function Guarantees({ calibrations }: Pick<Settings, 'calibrations'>) {
  const { t } = useTranslation('settings')
  if (calibrations.length === 0) return null
  return (
    <section aria-labelledby="guarantees-title" className="grid gap-2">
      <h3 id="guarantees-title" className="text-sm font-medium">
        {t('guarantees.title')}
      </h3>
      <ul className="grid list-disc gap-2 pl-5 text-sm">
        {calibrations.map((one) => (
          <li key={`${one.judge_model} ${one.prompt_version}`}>
            <span className="font-medium">
              {one.judge_model} ({one.prompt_version})
            </span>{' '}
            {one.lapsed && <Badge variant="warning">{t('guarantees.lapsed')}</Badge>}
            <p>
              {t('guarantees.promise', {
                precision: percentTenths(one.precision),
                confidence: percentTenths(one.confidence),
                threshold: count(one.threshold),
                stays: percentTenths(one.stays_high),
              })}
            </p>
            <p className="text-muted-foreground">
              {t('guarantees.from', {
                right: count(one.labels_right),
                labels: count(one.labels),
                date: localDate(one.created_at),
              })}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
