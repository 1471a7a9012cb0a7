import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Badge, Button } from '@/components/ui'

import { useChangeWebhook, type Webhook } from '../api/webhooks'

import { DeleteWebhook } from './DeleteWebhook'
import { Deliveries } from './Deliveries'
import { EditWebhook } from './EditWebhook'
import { RotateSecret } from './RotateSecret'
import { TestWebhook } from './TestWebhook'

const LOOKS = { on: 'success', failing: 'warning', off: 'neutral', switchedOff: 'danger' } as const

function stateOf({ enabled, disabled_reason: why, failing_since: failing }: Webhook) {
  if (!enabled) return why ? 'switchedOff' : 'off'
  return failing ? 'failing' : 'on'
}

/** One webhook: what it is sent, whether that arrives, and what can be done with it. */
export function WebhookItem({ webhook }: { webhook: Webhook }) {
  const { t, i18n } = useTranslation('settings')
  const { name, url, format, events, enabled, delivered_at: delivered, pending } = webhook
  const { mutate, error, isPending } = useChangeWebhook(webhook.id)
  const state = stateOf(webhook)
  const moment = (at: string) => new Date(at).toLocaleString(i18n.language)
  const until = webhook.previous_secret_until
  const facts = [
    t(`webhooks.formats.${format}`),
    delivered ? t('webhooks.deliveredAt', { time: moment(delivered) }) : t('webhooks.notYet'),
    ...(pending > 0 ? [t('webhooks.pending', { count: pending })] : []),
    ...(until ? [t('webhooks.bothSecrets', { time: moment(until) })] : []),
  ]
  return (
    <li className="grid gap-2 py-4">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-medium">{name}</h3>
        <Badge variant={LOOKS[state]}>{t(`webhooks.states.${state}`)}</Badge>
      </div>
      <p className="text-sm break-all">{url}</p>
      <p className="text-muted-foreground text-sm">
        {events.map((event) => t(`webhooks.eventNames.${event}`)).join(' · ')}
      </p>
      <p className="text-muted-foreground text-sm">{facts.join(' · ')}</p>
      {webhook.disabled_reason && (
        <p className="bg-danger-soft text-danger-foreground flex items-start gap-2 rounded p-2 text-sm">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t(`webhooks.disabled.${webhook.disabled_reason}`)}
        </p>
      )}
      {webhook.last_error && (state === 'failing' || state === 'switchedOff') && (
        <p className="text-danger text-sm">{webhook.last_error}</p>
      )}
      {error && <ErrorState error={error} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant={enabled ? 'outline' : 'primary'}
          size="sm"
          aria-label={t(enabled ? 'webhooks.switchOffOne' : 'webhooks.switchOnOne', { name })}
          disabled={isPending}
          onClick={() => mutate({ enabled: !enabled })}
        >
          {t(enabled ? 'webhooks.switchOff' : 'webhooks.switchOn')}
        </Button>
        <TestWebhook webhook={webhook} />
        <Deliveries webhook={webhook} />
        <EditWebhook webhook={webhook} />
        <RotateSecret webhook={webhook} />
        <DeleteWebhook webhook={webhook} />
      </div>
    </li>
  )
}
