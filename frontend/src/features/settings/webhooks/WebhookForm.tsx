import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Checkboxes, Input, Select } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { Thresholds } from './Thresholds'
import { WebhookFilters } from './WebhookFilters'
import { bodyOf, EVENTS, isWhole, type WebhookDraft } from './webhookDraft'

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
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        request.onSave(bodyOf(draft))
      }}
    >
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
          onChange={({ target }) => change({ format: target.value as WebhookDraft['format'] })}
        >
          <option value="json">{t('webhooks.formats.json')}</option>
          <option value="slack">{t('webhooks.formats.slack')}</option>
          <option value="otlp">{t('webhooks.formats.otlp')}</option>
        </Select>
        <Select
          label={t('webhooks.lang')}
          value={draft.lang}
          onChange={({ target }) => change({ lang: target.value as WebhookDraft['lang'] })}
        >
          <option value="ko">{t('policy.options.ko')}</option>
          <option value="en">{t('policy.options.en')}</option>
        </Select>
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
    </form>
  )
}
