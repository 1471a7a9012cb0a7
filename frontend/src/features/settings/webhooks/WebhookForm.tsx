import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Checkboxes, Form, Input, Select } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'
import type { Schema } from '@/lib/api'
import { LANGUAGES } from '@/lib/languages'

import {
  bodyOf,
  CONFIDENCES,
  DIRECTIONS,
  EVENTS,
  FEATURES,
  FORMATS,
  isWhole,
  METRICS,
  type ThresholdDraft,
  type WebhookDraft,
} from './webhookDraft'

interface Props {
  initial: WebhookDraft
  /** The address is not shown; an empty one stays as it is. */
  addressKept?: boolean
  error: unknown
  isPending: boolean
  onSave: (body: Schema<'WebhookCreate'>) => void
}

export function WebhookForm({ initial, addressKept = false, ...request }: Props) {
  const { t } = useTranslation('settings')
  const [draft, setDraft] = useState(initial)
  const change = (some: Partial<WebhookDraft>) => setDraft({ ...draft, ...some })
  return (
    <Form className="grid gap-4" onSubmit={() => request.onSave(bodyOf(draft))}>
      <Input
        label={t('webhooks.name')}
        maxLength={100}
        autoComplete="off"
        value={draft.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <Input
        label={t('webhooks.url')}
        hint={t(addressKept ? 'webhooks.urlKept' : 'webhooks.urlHint')}
        type="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        value={draft.url}
        onChange={({ target }) => change({ url: target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={t('webhooks.format')}
          value={draft.format}
          options={FORMATS.map((value) => ({ value, text: t(`webhooks.formats.${value}`) }))}
          onValue={(format) => change({ format })}
        />
        <Select
          label={t('webhooks.lang')}
          value={draft.lang}
          options={LANGUAGES.map((value) => ({ value, text: t(`policy.options.${value}`) }))}
          onValue={(lang) => change({ lang })}
        />
      </div>
      <Checkboxes
        label={t('webhooks.events')}
        options={EVENTS.map((value) => ({ value, text: t(`webhooks.eventNames.${value}`) }))}
        value={draft.events}
        onChange={(events) => change({ events })}
      />
      {draft.events.includes('backlog.old') && (
        <Input
          label={t('webhooks.backlogMinutes')}
          inputMode="numeric"
          value={draft.backlog_minutes}
          onChange={({ target }) => change({ backlog_minutes: target.value })}
        />
      )}
      {draft.events.includes('threshold.crossed') && (
        <Thresholds value={draft.thresholds} onChange={(thresholds) => change({ thresholds })} />
      )}
      <WebhookFilters draft={draft} onChange={change} />
      {request.error !== null && <ErrorState error={request.error} />}
      <Button
        type="submit"
        className="justify-self-end"
        disabled={!isWhole(draft, addressKept) || request.isPending}
      >
        {t('webhooks.save')}
      </Button>
    </Form>
  )
}

interface WebhookFiltersProps {
  draft: WebhookDraft
  onChange: (some: Partial<WebhookDraft>) => void
}

/** Which verdicts are sent, and how much of them. */
function WebhookFilters({ draft, onChange }: WebhookFiltersProps) {
  const { t } = useTranslation('settings')
  const { data: notebooks = [] } = useNotebooks()
  return (
    <details open={isFiltered(draft)}>
      <summary className="min-h-6 text-sm font-medium">{t('webhooks.filters')}</summary>
      <div className="mt-3 grid gap-4">
        <p className="text-muted-foreground text-sm">{t('webhooks.filtersHint')}</p>
        <div className="grid gap-4 sm:grid-cols-2">
          <Checkboxes
            label={t('webhooks.confidences')}
            options={CONFIDENCES.map((value) => ({ value, text: t(`webhooks.levels.${value}`) }))}
            value={draft.confidences}
            onChange={(confidences) => onChange({ confidences })}
          />
          <Checkboxes
            label={t('webhooks.features')}
            options={FEATURES.map((value) => ({ value, text: t(`policy.options.${value}`) }))}
            value={draft.features}
            onChange={(features) => onChange({ features })}
          />
        </div>
        {notebooks.length > 0 && (
          <Checkboxes
            label={t('webhooks.notebooks')}
            options={notebooks.map(({ id, name }) => ({ value: id, text: name }))}
            value={draft.notebook_ids}
            onChange={(notebook_ids) => onChange({ notebook_ids })}
          />
        )}
        <Input
          label={t('webhooks.judges')}
          hint={t('webhooks.judgesHint')}
          autoComplete="off"
          spellCheck={false}
          value={draft.judges}
          onChange={({ target }) => onChange({ judges: target.value })}
        />
        <Checkboxes
          label={t('webhooks.content')}
          hint={t('webhooks.contentHint')}
          options={[{ value: 'content', text: t('webhooks.includeContent') }]}
          value={draft.include_content ? ['content'] : []}
          onChange={(chosen) => onChange({ include_content: chosen.length > 0 })}
        />
      </div>
    </details>
  )
}

function isFiltered(draft: WebhookDraft): boolean {
  const { confidences, features, notebook_ids, judges, include_content } = draft
  return (
    confidences.length + features.length + notebook_ids.length + judges.length > 0 ||
    include_content
  )
}

interface ThresholdsProps {
  value: readonly ThresholdDraft[]
  onChange: (value: readonly ThresholdDraft[]) => void
}

const FIRST: ThresholdDraft = { metric: 'high_share', direction: 'below', value: '0.8' }

/** The day's figures that are told of when they cross a value. */
function Thresholds({ value, onChange }: ThresholdsProps) {
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
              onValue={(metric) => {
                change(at, metric === 'cost_usd' ? { metric, direction: 'above' } : { metric })
              }}
              options={METRICS.map((metric) => ({
                value: metric,
                text: t(`webhooks.metrics.${metric}`),
              }))}
            />
          </div>
          <Select
            label={t('webhooks.direction')}
            value={each.direction}
            disabled={each.metric === 'cost_usd'}
            options={DIRECTIONS.map((value) => ({ value, text: t(`webhooks.${value}`) }))}
            onValue={(direction) => change(at, { direction })}
          />
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
            icon={Trash2}
          />
        </div>
      ))}
      <Button
        size="sm"
        className="justify-self-start"
        disabled={value.length >= 10}
        onClick={() => onChange([...value, FIRST])}
        icon={Plus}
      >
        {t('webhooks.addThreshold')}
      </Button>
    </fieldset>
  )
}
