import { useTranslation } from 'react-i18next'

import { Button, Input, Select } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'
import { cn } from '@/lib/cn'
import { isDay } from '@/lib/days'
import { judgeName } from '@/lib/judge'

import { useAnalytics } from './api/analytics'
import { PRESETS, type Period } from './period'
import { textOf } from './values'

interface Props {
  period: Period
  model: string
  notebookId: string
  onChange: (changes: Record<string, string | undefined>) => void
}

export function QualityFilters({ period, model, notebookId, onChange }: Props) {
  const { t } = useTranslation('quality')
  const { t: ai } = useTranslation('ai')
  const { data: judges } = useAnalytics('judge-reliability', period)
  const { data: notebooks = [] } = useNotebooks()
  const asked = judges?.rows.map((row) => textOf(row, 'judge_model')) ?? []
  // What the address names can be chosen even if nobody asked it in this period.
  const models = [...new Set([...asked, model])].filter(Boolean)
  const setEnd = (end: 'since' | 'until') => (day: string) => {
    if (!isDay(day)) return
    const since = end === 'since' ? day : period.since
    const until = end === 'until' ? day : period.until
    // Whoever moves one end past the other means that day.
    const ends = since <= until ? { since, until } : { since: day, until: day }
    onChange({ ...ends, days: undefined })
  }
  return (
    <div className="mb-4 grid gap-3">
      <div role="group" aria-label={t('filters.period')} className="flex flex-wrap gap-1">
        {PRESETS.map((days) => (
          <Button
            key={days}
            variant="outline"
            size="sm"
            aria-pressed={period.preset === days}
            className={cn(period.preset === days && 'bg-accent text-accent-foreground')}
            onClick={() => onChange({ days: String(days), since: undefined, until: undefined })}
          >
            {t('filters.days', { count: days })}
          </Button>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {(['since', 'until'] as const).map((end) => (
          <Input
            key={end}
            type="date"
            label={t(`filters.${end}`)}
            value={period[end]}
            onChange={(event) => setEnd(end)(event.target.value)}
          />
        ))}
        <Select
          label={t('filters.model')}
          value={model}
          onChange={(event) => onChange({ model: event.target.value })}
        >
          <option value="">{t('filters.all')}</option>
          {models.map((name) => (
            <option key={name} value={name}>
              {judgeName(ai, name)}
            </option>
          ))}
        </Select>
        <Select
          label={t('filters.notebook')}
          value={notebookId}
          onChange={(event) => onChange({ notebook_id: event.target.value })}
        >
          <option value="">{t('filters.all')}</option>
          {notebooks.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </div>
    </div>
  )
}
