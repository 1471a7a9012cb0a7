import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { Button } from '@/components/ui/button'
import { errorMessage } from '@/lib/errorMessage'

import { useAcknowledge, useAlarms, type Alarm, type Cause } from './api/alarms'
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
            <Line alarm={alarm} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Line({ alarm }: { alarm: Alarm }) {
  const { t, i18n } = useTranslation('quality')
  const { t: common } = useTranslation()
  const { mutate, isPending, error } = useAcknowledge()
  const { percent, day } = formatsOf(i18n.language)
  const causes = alarm.causes.map((cause) =>
    t('alarms.cause', {
      dimension: t(`alarms.dimensions.${cause.dimension}`),
      value: cause.name ?? cause.value,
      part: percent(cause.part),
    }),
  )
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
          {t('alarms.differs', { causes: causes.join(', ') || t('alarms.nothing') })}
        </p>
        <p>
          <Link className="underline" to={`/evaluations?${addressOf(alarm).toString()}`}>
            {t('alarms.evaluations')}
          </Link>
        </p>
        {error && <p role="alert">{errorMessage(error, common)}</p>}
      </div>
      <Button
        size="sm"
        variant="outline"
        disabled={isPending}
        onClick={() => {
          mutate(alarm.id)
        }}
      >
        {t('alarms.acknowledge')}
      </Button>
    </>
  )
}

/** Filters of the list of evaluations, by what differs. */
const FILTERS: Partial<Record<Cause['dimension'], string>> = {
  answer_model: 'answer_model',
  notebook: 'notebook_id',
  lang: 'lang',
  feature: 'feature',
}

/** The evaluations since the change, of what differs most where the list can be filtered by it. */
function addressOf({ judge_model, began_on, noticed_on, causes }: Alarm): URLSearchParams {
  const address = new URLSearchParams({ judge_model, since: began_on, until: noticed_on })
  const [most] = causes
  const filter = most && FILTERS[most.dimension]
  if (most && filter) address.set(filter, most.value)
  return address
}
