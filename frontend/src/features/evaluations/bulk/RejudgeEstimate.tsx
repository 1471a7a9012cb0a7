import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'

interface Props {
  /** How many evaluations are selected; several may be of one answer. */
  selected: number
  estimate: Schema<'RejudgeEstimate'>
}

/** What judging again takes, and which of the selected answers are left out, and why. */
export function RejudgeEstimate({ selected, estimate }: Props) {
  const { t, i18n } = useTranslation('evaluations')
  const { to_judge, judged, not_judged, matching, calls, judge_model, prompt } = estimate
  const cost = estimate.bulk_by === 'batch' ? estimate.batch_cost_usd : estimate.cost_usd
  const dollars = new Intl.NumberFormat(i18n.language, {
    style: 'currency',
    currency: 'USD',
    maximumSignificantDigits: 2,
  })
  const leftOut = [
    ['judged', judged],
    ['notJudged', not_judged],
    ['notFinal', Math.max(0, selected - matching)],
  ] as const
  return (
    <div className="grid gap-2 text-sm">
      <p className="font-semibold">
        {t('bulk.rejudge.count', { count: to_judge })}{' '}
        <span className="font-mono font-normal break-all">
          {prompt ? `${judge_model} · ${prompt}` : judge_model}
        </span>
      </p>
      {to_judge > 0 && (
        <p>
          {t('bulk.rejudge.calls', { count: calls })}
          {' · '}
          {cost === null
            ? t('bulk.rejudge.unpriced')
            : t('bulk.rejudge.cost', { cost: dollars.format(cost) })}
        </p>
      )}
      <ul className="text-muted-foreground list-disc pl-5">
        {leftOut.map(
          ([why, count]) => count > 0 && <li key={why}>{t(`bulk.rejudge.${why}`, { count })}</li>,
        )}
      </ul>
    </div>
  )
}
