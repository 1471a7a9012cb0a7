import { useTranslation } from 'react-i18next'

import { useJudgeLimits } from '@/hooks/judges'

/** What the servers of judges allow all workers together; nothing where none has a limit. */
export function JudgeLimits() {
  const { t, i18n } = useTranslation('settings')
  const { data: limits } = useJudgeLimits()
  if (!limits?.length) return null
  const number = new Intl.NumberFormat(i18n.language)
  const share = new Intl.NumberFormat(i18n.language, { style: 'percent' })
  return (
    <section aria-labelledby="judge-limits-title" className="mt-4">
      <h3 id="judge-limits-title" className="text-sm font-medium">
        {t('judges.limits.title')}
      </h3>
      <ul className="divide-border divide-y">
        {limits.map((limit) => (
          <li key={limit.judge_model} className="grid gap-1 py-3 text-sm">
            <span className="font-medium">{limit.judge_model}</span>
            <span>
              {[
                limit.requests_per_minute &&
                  t('judges.limits.requests', { count: number.format(limit.requests_per_minute) }),
                limit.tokens_per_minute &&
                  t('judges.limits.tokens', { count: number.format(limit.tokens_per_minute) }),
                limit.max_in_flight &&
                  t('judges.limits.inFlight', { count: number.format(limit.max_in_flight) }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <span className="text-muted-foreground">
              {limit.allowance === null
                ? t('judges.limits.unknown')
                : t('judges.limits.allowance', { share: share.format(limit.allowance) })}
              {limit.held_until &&
                ` · ${t('judges.limits.held', {
                  time: new Date(limit.held_until).toLocaleTimeString(i18n.language),
                })}`}
              {!!limit.waiting &&
                ` · ${t('judges.limits.waiting', { count: number.format(limit.waiting) })}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
