import { useTranslation } from 'react-i18next'

import { EmptyState, ErrorState, PagedList } from '@/components/page'
import { Badge, Button, TriggeredDialog } from '@/components/ui'
import { localTime, milliseconds } from '@/lib/figures'

import { type Delivery, useDeliveries, useReplay, type Webhook } from '../api/webhooks'

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('settings')
  const { name } = webhook
  return (
    <TriggeredDialog
      title={t('webhooks.deliveriesOf', { name })}
      trigger={t('webhooks.deliveries')}
    >
      <DeliveryList id={webhook.id} />
    </TriggeredDialog>
  )
}

function DeliveryList({ id }: { id: string }) {
  const { t } = useTranslation('settings')
  const list = useDeliveries(id)
  const replay = useReplay(id)
  return (
    <>
      {replay.error && <ErrorState error={replay.error} />}
      <PagedList list={list} empty={<EmptyState title={t('webhooks.noDeliveries')} />}>
        {(deliveries) => (
          <ul className="divide-border grid divide-y">
            {deliveries.map((delivery) => {
              const at = localTime(delivery.created_at)
              return (
                <li key={delivery.id} className="grid gap-1 py-3">
                  <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
                    <span>
                      <code>{delivery.event}</code>{' '}
                      <span className="text-muted-foreground">{at}</span>
                    </span>
                    {delivery.status !== 'pending' && (
                      <Button
                        size="sm"
                        aria-label={t('webhooks.replayOne', { event: delivery.event, at })}
                        disabled={replay.isPending}
                        onClick={() => replay.mutate(delivery.id)}
                      >
                        {t('webhooks.replay')}
                      </Button>
                    )}
                  </div>
                  <DeliveryLine delivery={delivery} />
                </li>
              )
            })}
          </ul>
        )}
      </PagedList>
    </>
  )
}

const LOOKS = { pending: 'info', delivered: 'success', failed: 'danger' } as const

/** Where a delivery stands, and what the receiver said to the last attempt. */
export function DeliveryLine({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation('settings')
  const { status, attempts, next_attempt_at: next } = delivery
  const last = attempts.at(-1)
  return (
    <div className="grid gap-1 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Badge variant={LOOKS[status]}>{t(`webhooks.deliveryStates.${status}`)}</Badge>
        {last?.status && <span>HTTP {last.status}</span>}
        {last && <span>{milliseconds(last.ms)}</span>}
        {delivery.tries > 1 && <span>{t('webhooks.tries', { count: delivery.tries })}</span>}
      </p>
      {last?.error && <p className="text-danger">{last.error}</p>}
      {status === 'pending' && last && next && (
        <p className="text-muted-foreground">{t('webhooks.nextTry', { time: localTime(next) })}</p>
      )}
      {last?.reply && (
        <details className="text-muted-foreground text-xs">
          <summary>{t('webhooks.reply')}</summary>
          <pre className="bg-muted mt-1 rounded p-2 break-all whitespace-pre-wrap">
            {last.reply}
          </pre>
        </details>
      )}
    </div>
  )
}
