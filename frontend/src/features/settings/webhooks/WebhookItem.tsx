import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { ConfirmDialog, ErrorState } from '@/components/page'
import { Badge, Button, Spinner, TriggeredDialog } from '@/components/ui'
import { localTime } from '@/lib/figures'
import { toast } from '@/lib/toast'

import {
  useChangeWebhook,
  useDeleteWebhook,
  useDelivery,
  useRotateSecret,
  useTestWebhook,
  type Webhook,
} from '../api/webhooks'
import { RotateDialog } from '../components/RotateDialog'

import { Deliveries, DeliveryLine } from './Deliveries'
import { WebhookForm } from './WebhookForm'
import { draftOf, hidesAddress } from './webhookDraft'

const LOOKS = { on: 'success', failing: 'warning', off: 'neutral', switchedOff: 'danger' } as const

function stateOf({ enabled, disabled_reason: why, failing_since: failing }: Webhook) {
  if (!enabled) return why ? 'switchedOff' : 'off'
  return failing ? 'failing' : 'on'
}

/** One webhook: what it is sent, whether that arrives, and what can be done with it. */
export function WebhookItem({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('settings')
  const { name, url, format, events, enabled, delivered_at: delivered, pending } = webhook
  const { mutate, error, isPending } = useChangeWebhook(webhook.id)
  const state = stateOf(webhook)
  const until = webhook.previous_secret_until
  const facts = [
    t(`webhooks.formats.${format}`),
    delivered ? t('webhooks.deliveredAt', { time: localTime(delivered) }) : t('webhooks.notYet'),
    ...(pending > 0 ? [t('webhooks.pending', { count: pending })] : []),
    ...(until ? [t('webhooks.bothSecrets', { time: localTime(until) })] : []),
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

const HOURS = [24, 72, 168, 0]

/** A new secret; for a while deliveries are signed with the present one as well. */
function RotateSecret({ webhook: { id, name } }: { webhook: Webhook }) {
  const { t } = useTranslation('settings')
  const request = useRotateSecret(id)
  const made = request.data
  return (
    <RotateDialog
      action={t('webhooks.rotate')}
      title={t('webhooks.rotateOne', { name })}
      description={t('webhooks.rotateText')}
      overlap={t('webhooks.overlap')}
      hours={HOURS}
      made={made && { label: t('webhooks.secretOf', { name }), secret: made.secret }}
      request={request}
      onOpenChange={request.reset}
    />
  )
}

/** Has a test event sent, and shows what came of it. */
function TestWebhook({ webhook: { id, name, enabled } }: { webhook: Webhook }) {
  const { t } = useTranslation('settings')
  const { mutate, data: sent, error, isPending } = useTestWebhook(id)
  const { data: delivery = sent } = useDelivery(id, sent?.id ?? null)
  return (
    <>
      <Button
        size="sm"
        aria-label={t('webhooks.testOne', { name })}
        disabled={!enabled || isPending}
        onClick={() => mutate()}
      >
        {t('webhooks.test')}
      </Button>
      <div role="status" className="order-last basis-full empty:hidden">
        {error && <ErrorState error={error} />}
        {delivery?.status === 'pending' && delivery.attempts.length === 0 && <Spinner />}
        {delivery && <DeliveryLine delivery={delivery} />}
      </div>
    </>
  )
}

function DeleteWebhook({ webhook: { id, name } }: { webhook: Webhook }) {
  const { t } = useTranslation(['settings', 'common'])
  const request = useDeleteWebhook(id)
  return (
    <ConfirmDialog
      trigger={t('webhooks.deleteOne', { name })}
      title={t('webhooks.deleteTitle', { name })}
      description={t('webhooks.deleteText')}
      action={t('common:delete')}
      request={request}
      input={undefined}
      done={t('webhooks.deleted', { name })}
    />
  )
}

function EditWebhook({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('settings')
  const { name } = webhook
  const change = useChangeWebhook(webhook.id)
  const addressKept = hidesAddress(webhook)
  return (
    <TriggeredDialog
      title={t('webhooks.editOne', { name })}
      trigger={t('webhooks.edit')}
      onOpenChange={change.reset}
    >
      {(close) => (
        <WebhookForm
          initial={draftOf(webhook)}
          addressKept={addressKept}
          request={change}
          onSave={({ url, ...rest }) =>
            change.mutate(url === '' ? rest : { ...rest, url }, {
              onSuccess: () => {
                close()
                toast(t('webhooks.saved', { name }), 'success')
              },
            })
          }
        />
      )}
    </TriggeredDialog>
  )
}
