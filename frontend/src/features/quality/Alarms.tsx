import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { Button } from '@/components/ui'
import { errorMessage } from '@/lib/errorMessage'

import { useAcknowledge, useAlarms, type Alarm, type Cause } from './api/analytics'
import { behindAlarm } from './drill'
import { formatsOf } from './values'

/** What has changed and nobody has acknowledged. Without the list the page is as good as before. */
export function Alarms() {
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
  const { t, i18n } = useTranslation('quality')
  const { t: common } = useTranslation()
  const { mutate, isPending, error } = useAcknowledge()
  const { percent, day } = formatsOf(i18n.language)
  const inWords = (cause: Cause) =>
    t('alarms.cause', {
      dimension: t(`alarms.dimensions.${cause.dimension}`),
      value: cause.name ?? cause.value,
      part: percent(cause.part),
    })
  return (
    <>
      <div className="min-w-0">
        <p className="font-medium break-words">
          {t('alarms.line', {
            series: t(`alarms.series.${alarm.series}`),
            judge: alarm.judge_model,
            before: percent(alarm.before),
            after: percent(alarm.after),
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
        {error && <p role="alert">{errorMessage(error, common)}</p>}
      </div>
      <Button size="sm" variant="outline" disabled={isPending} onClick={() => mutate(alarm.id)}>
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
