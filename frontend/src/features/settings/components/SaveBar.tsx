import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import { useDebounced } from '@/hooks/useDebounced'
import { integer, numbers, roundDollars } from '@/lib/figures'
import { ApiError } from '@/lib/problem'

import { type Forecast, type Policy, useForecast } from '../api/policy'

const about = numbers({ maximumSignificantDigits: 2 })

interface Props {
  changes: number
  saved: Policy
  /** null while it has mistakes. */
  draft: Policy | null
  isPending: boolean
  onDiscard: () => void
}

/** What is not saved yet, what it will do, and the buttons that keep or drop it. */
export function SaveBar({ changes, saved, draft, isPending, onDiscard }: Props) {
  const { t } = useTranslation(['settings', 'common'])
  return (
    <div className="bg-card border-primary sticky bottom-2 z-20 flex flex-wrap items-center justify-between gap-3 rounded-md border p-3 text-sm shadow-lg">
      <div role="status" className="min-w-0 flex-1 basis-64">
        <p className="font-medium">{t('policy.unsavedCount', { count: changes })}</p>
        {draft && <Effect saved={saved} draft={draft} />}
      </div>
      <Button onClick={onDiscard}>{t('policy.discard')}</Button>
      <Button type="submit" disabled={isPending || !draft}>
        {t('common:save')}
      </Button>
    </div>
  )
}

function Effect({ saved, draft }: { saved: Policy; draft: Policy }) {
  const { t } = useTranslation('settings')
  const { data: now } = useForecast(saved)
  const { data: then, error } = useForecast(
    JSON.parse(useDebounced(JSON.stringify(draft))) as Policy,
  )
  if (error instanceof ApiError) return <p className="text-danger">{error.problem.detail}</p>
  if (!now || !then) return null
  if (then.answers === 0) return <p>{t('policy.forecast.none')}</p>
  const cost = ({ cost_usd: usd, at_most: atMost }: Forecast) =>
    usd === null
      ? t('policy.forecast.unpriced')
      : t(`policy.forecast.${atMost ? 'atMost' : 'cost'}`, { usd: roundDollars(usd) })
  const blanks = (day: Forecast) => ({
    answers: about(day.answers),
    judged: about(day.judged),
    cost: cost(day),
  })
  const share = (draft.daily_budget_usd ?? Infinity) / (then.cost_usd ?? 0)
  return (
    <p className="tabular-nums">
      {t('policy.forecast.day', blanks(then))} {t('policy.forecast.now', blanks(now))}{' '}
      {share < 1 && t('policy.forecast.beyond', { judged: integer(then.judged * share) })}
    </p>
  )
}
