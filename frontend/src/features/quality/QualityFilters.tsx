import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { TextFilter } from '@/components/page'
import { Button, Input, Select } from '@/components/ui'
import { useUrlFilters } from '@/hooks/useUrlFilters'
import { useNotebooks } from '@/hooks/workspace'
import { addDays, type Day, isDay, today } from '@/lib/days'
import { judgeName } from '@/lib/names'

import { type Filters, useAnalytics } from './api/analytics'
import { textOf } from './values'

const PRESETS = [7, 30, 90] as const
const DEFAULT_DAYS = 30

interface Period {
  since: Day
  until: Day
  /** Which preset it is; null for days of one's own. */
  preset: number | null
}

/** The period that the address names: `days`, or `since` and `until`. What makes no sense there
 * is read as the last 30 days. */
export function periodOf(params: URLSearchParams, now: Day = today()): Period {
  const since = params.get('since')
  const until = params.get('until')
  if (isDay(since) && isDay(until) && since <= until) return { since, until, preset: null }
  const days = PRESETS.find((preset) => String(preset) === params.get('days')) ?? DEFAULT_DAYS
  return { since: addDays(now, 1 - days), until: now, preset: days }
}

const NARROWING = ['model', 'notebook_id', 'app_version', 'environment', 'tag'] as const

/** The filters that the address names, and how many there are beside the usual period. */
export function useQualityFilters() {
  const { params, setFilters } = useUrlFilters()
  const period = periodOf(params)
  const { since, until } = period
  const [model, notebookId, release, environment, tag] = NARROWING.map(
    (name) => params.get(name) ?? '',
  )
  const filters: Filters = useMemo(
    () => ({
      ...{ since, until, model, notebook_id: notebookId },
      ...{ app_version: release, environment, tag },
    }),
    [since, until, model, notebookId, release, environment, tag],
  )
  const filtered = NARROWING.some((name) => params.get(name)) || period.preset !== DEFAULT_DAYS
  return { params, period, filters, filtered, setFilters }
}

interface Props {
  period: Period
  filters: Filters
  onChange: (changes: Record<string, string | undefined>) => void
  /** Where all releases are shown. */
  withoutRelease?: boolean
}

export function QualityFilters({ period, filters, onChange, withoutRelease }: Props) {
  const { t } = useTranslation('quality')
  const { model = '', notebook_id: notebookId = '', app_version: release = '' } = filters
  const { data: judges } = useAnalytics('judge-reliability', period)
  const { data: released } = useAnalytics('by-release', period)
  const { data: notebooks = [] } = useNotebooks()
  const asked = judges?.rows.map((row) => textOf(row, 'judge_model')) ?? []
  // What the address names can be chosen even if nobody asked it in this period.
  const models = [...new Set([...asked, model])].filter(Boolean)
  const versions = released?.rows.map((row) => textOf(row, 'app_version')) ?? []
  const releases = [...new Set([...versions, release])].filter(Boolean)
  const narrowing = NARROWING.filter((name) => filters[name]).length
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
            size="sm"
            pressed={period.preset === days}
            onClick={() => onChange({ days: String(days), since: undefined, until: undefined })}
          >
            {t('filters.days', { count: days })}
          </Button>
        ))}
      </div>
      <details open={narrowing > 0 || period.preset === null}>
        <summary className="mb-2 w-fit text-sm underline">
          {t('filters.more')}
          {narrowing > 0 && ` (${narrowing})`}
        </summary>
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          {(['since', 'until'] as const).map((end) => (
            <Input
              key={end}
              type="date"
              label={t(`filters.${end}`)}
              value={period[end]}
              onValue={(text) => setEnd(end)(text)}
            />
          ))}
          <Select
            label={t('filters.model')}
            value={model}
            onValue={(model) => onChange({ model })}
            options={models.map((name) => ({ value: name, text: judgeName(name) }))}
            none={t('filters.all')}
          />
          <Select
            label={t('filters.notebook')}
            value={notebookId}
            onValue={(notebook_id) => onChange({ notebook_id })}
            options={notebooks.map(({ id, name }) => ({ value: id, text: name }))}
            none={t('filters.all')}
          />
          {!withoutRelease && releases.length > 0 && (
            <Select
              label={t('filters.app_version')}
              value={release}
              onValue={(app_version) => onChange({ app_version })}
              options={releases.map((name) => ({ value: name, text: name }))}
              none={t('filters.all')}
            />
          )}
          {[...releases, filters.environment, filters.tag].some(Boolean) &&
            (['environment', 'tag'] as const).map((name) => (
              <TextFilter
                key={`${name} ${filters[name]}`}
                label={t(`filters.${name}`)}
                value={filters[name] ?? ''}
                onValue={(value) => onChange({ [name]: value })}
              />
            ))}
        </div>
      </details>
    </div>
  )
}
