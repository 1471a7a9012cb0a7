import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'

import type { Settings } from '../api/policy'

/** Which judges have a guarantee for "high", from which score on, and what it rests on. */
export function Guarantees({ calibrations }: Pick<Settings, 'calibrations'>) {
  const { t, i18n } = useTranslation('settings')
  if (calibrations.length === 0) return null
  const percent = new Intl.NumberFormat(i18n.language, {
    style: 'percent',
    maximumFractionDigits: 1,
  })
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 3 })
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
                precision: percent.format(one.precision),
                confidence: percent.format(one.confidence),
                threshold: number.format(one.threshold),
                stays: percent.format(one.stays_high),
              })}
            </p>
            <p className="text-muted-foreground">
              {t('guarantees.from', {
                right: number.format(one.labels_right),
                labels: number.format(one.labels),
                date: new Date(one.created_at).toLocaleDateString(i18n.language),
              })}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
