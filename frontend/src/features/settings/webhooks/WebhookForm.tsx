import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { RequestForm } from '@/components/page'
import { Button, Checkboxes, IconButton, Input, Select } from '@/components/ui'
import { useDraft } from '@/hooks/useDraft'
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
  request: { error: unknown; isPending: boolean }
  onSave: (body: Schema<'WebhookCreate'>) => void
}

export function WebhookForm({ initial, addressKept = false, request, onSave }: Props) {
  const { t } = useTranslation('settings')
  const { draft, change, field } = useDraft(initial)
  return (
    <RequestForm
      request={request}
      action={t('webhooks.save')}
      disabled={!isWhole(draft, addressKept)}
      onSubmit={() => onSave(bodyOf(draft))}
    >
      <Input label={t('webhooks.name')} maxLength={100} autoComplete="off" {...field('name')} />
      <Input
        label={t('webhooks.url')}
        hint={t(addressKept ? 'webhooks.urlKept' : 'webhooks.urlHint')}
        type="url"
        verbatim
        placeholder="https://"
        {...field('url')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={t('webhooks.format')}
          options={FORMATS.map((value) => ({ value, text: t(`webhooks.formats.${value}`) }))}
          {...field('format')}
        />
        <Select
          label={t('webhooks.lang')}
          options={LANGUAGES.map((value) => ({ value, text: t(`policy.options.${value}`) }))}
          {...field('lang')}
        />
      </div>
      <Checkboxes
        label={t('webhooks.events')}
        options={EVENTS.map((value) => ({ value, text: t(`webhooks.eventNames.${value}`) }))}
        {...field('events')}
      />
      {draft.events.includes('backlog.old') && (
        <Input
          label={t('webhooks.backlogMinutes')}
          inputMode="numeric"
          {...field('backlog_minutes')}
        />
      )}
      {draft.events.includes('threshold.crossed') && <Thresholds {...field('thresholds')} />}
      <WebhookFilters {...{ draft, change, field }} />
    </RequestForm>
  )
}

/** Which verdicts are sent, and how much of them. */
function WebhookFilters({ draft, change, field }: ReturnType<typeof useDraft<WebhookDraft>>) {
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
            {...field('confidences')}
          />
          <Checkboxes
            label={t('webhooks.features')}
            options={FEATURES.map((value) => ({ value, text: t(`policy.options.${value}`) }))}
            {...field('features')}
          />
        </div>
        {notebooks.length > 0 && (
          <Checkboxes
            label={t('webhooks.notebooks')}
            options={notebooks.map(({ id, name }) => ({ value: id, text: name }))}
            {...field('notebook_ids')}
          />
        )}
        <Input
          label={t('webhooks.judges')}
          hint={t('webhooks.judgesHint')}
          verbatim
          {...field('judges')}
        />
        <Checkboxes
          label={t('webhooks.content')}
          hint={t('webhooks.contentHint')}
          options={[{ value: 'content', text: t('webhooks.includeContent') }]}
          value={draft.include_content ? ['content'] : []}
          onValue={(chosen) => change({ include_content: chosen.length > 0 })}
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
  onValue: (value: readonly ThresholdDraft[]) => void
}

const FIRST: ThresholdDraft = { metric: 'high_share', direction: 'below', value: '0.8' }

/** The day's figures that are told of when they cross a value. */
function Thresholds({ value, onValue }: ThresholdsProps) {
  const { t } = useTranslation('settings')
  const change = (at: number, some: Partial<ThresholdDraft>) =>
    onValue(value.map((each, place) => (place === at ? { ...each, ...some } : each)))
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
              onValue={(text) => change(at, { value: text })}
            />
          </div>
          <IconButton
            label={t('webhooks.removeThreshold', { number: at + 1 })}
            onClick={() => onValue(value.filter((_, place) => place !== at))}
            icon={Trash2}
          />
        </div>
      ))}
      <Button
        size="sm"
        className="justify-self-start"
        disabled={value.length >= 10}
        onClick={() => onValue([...value, FIRST])}
        icon={Plus}
      >
        {t('webhooks.addThreshold')}
      </Button>
    </fieldset>
  )
}
