import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button, Input, Select } from '@/components/ui'

import { METRICS, type ThresholdDraft } from './webhookDraft'

interface Props {
  value: readonly ThresholdDraft[]
  onChange: (value: readonly ThresholdDraft[]) => void
}

const FIRST: ThresholdDraft = { metric: 'high_share', direction: 'below', value: '0.8' }

/** The day's figures that are told of when they cross a value. */
export function Thresholds({ value, onChange }: Props) {
  const { t } = useTranslation('settings')
  const change = (at: number, some: Partial<ThresholdDraft>) =>
    onChange(value.map((each, place) => (place === at ? { ...each, ...some } : each)))
  return (
    <fieldset className="grid gap-2 text-sm">
      <legend className="mb-1 font-medium">{t('webhooks.thresholds')}</legend>
      <p className="text-muted-foreground">{t('webhooks.thresholdsHint')}</p>
      {value.map((each, at) => (
        // Rows have no name of their own, and are only added at the end.
        <div key={at} className="flex flex-wrap items-end gap-2">
          <div className="min-w-40 flex-1">
            <Select
              label={t('webhooks.metric')}
              value={each.metric}
              onChange={({ target }) => {
                const metric = target.value as ThresholdDraft['metric']
                change(at, metric === 'cost_usd' ? { metric, direction: 'above' } : { metric })
              }}
            >
              {METRICS.map((metric) => (
                <option key={metric} value={metric}>
                  {t(`webhooks.metrics.${metric}`)}
                </option>
              ))}
            </Select>
          </div>
          <Select
            label={t('webhooks.direction')}
            value={each.direction}
            disabled={each.metric === 'cost_usd'}
            onChange={({ target }) =>
              change(at, { direction: target.value as ThresholdDraft['direction'] })
            }
          >
            <option value="below">{t('webhooks.below')}</option>
            <option value="above">{t('webhooks.above')}</option>
          </Select>
          <div className="w-24">
            <Input
              label={t('webhooks.value')}
              inputMode="decimal"
              value={each.value}
              onChange={({ target }) => change(at, { value: target.value })}
            />
          </div>
          <Button
            variant="ghost"
            size="icon"
            aria-label={t('webhooks.removeThreshold', { number: at + 1 })}
            onClick={() => onChange(value.filter((_, place) => place !== at))}
          >
            <Trash2 aria-hidden />
          </Button>
        </div>
      ))}
      <Button
        variant="outline"
        size="sm"
        className="justify-self-start"
        disabled={value.length >= 10}
        onClick={() => onChange([...value, FIRST])}
      >
        <Plus aria-hidden />
        {t('webhooks.addThreshold')}
      </Button>
    </fieldset>
  )
}
