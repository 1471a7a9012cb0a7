import { useTranslation } from 'react-i18next'

import { ErrorState, Facts } from '@/components/page'
import { Checkbox, Spinner } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { count, dollars } from '../figures'

interface Props {
  estimate:
    | Pick<Schema<'EstimateRead'>, 'calls' | 'prompt_tokens' | 'completion_tokens' | 'cost_usd'>
    | undefined
  error: unknown
  agreed: boolean
  onAgree: (agreed: boolean) => void
}

/** What a run or a bench would take; what costs money must be agreed to. */
export function Estimate({ estimate, error, agreed, onAgree }: Props) {
  const { t } = useTranslation('runs')
  if (error) return <ErrorState error={error} />
  if (!estimate) return <Spinner label={t('start.estimate')} />
  const { cost_usd } = estimate
  const cost = dollars(cost_usd)
  const tokens = {
    prompt: count(estimate.prompt_tokens),
    completion: count(estimate.completion_tokens),
  }
  return (
    <section className="bg-muted grid gap-3 rounded-lg p-4">
      <h2 className="text-sm font-semibold">{t('start.estimate')}</h2>
      <Facts
        facts={[
          [t('start.calls'), count(estimate.calls)],
          [t('start.tokens'), t('start.tokenText', tokens)],
          [t('start.cost'), cost_usd === null ? t('start.unknownCost') : cost],
        ]}
      />
      {cost_usd !== 0 && (
        <Checkbox checked={agreed} onChange={onAgree}>
          {cost_usd === null ? t('start.confirmUnknown') : t('start.confirm', { cost })}
        </Checkbox>
      )}
    </section>
  )
}
