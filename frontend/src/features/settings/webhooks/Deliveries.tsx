import { useTranslation } from 'react-i18next'

import { EmptyState, ErrorState, MoreButton } from '@/components/page'
import { Button, Spinner, TriggeredDialog } from '@/components/ui'
import { localTime } from '@/lib/figures'

import { useDeliveries, useReplay, type Webhook } from '../api/webhooks'

import { DeliveryLine } from './DeliveryLine'

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('settings')
  const { name } = webhook
  return (
    <TriggeredDialog
      title={t('webhooks.deliveriesOf', { name })}
      trigger={
        <Button size="sm" aria-label={t('webhooks.deliveriesOf', { name })}>
          {t('webhooks.deliveries')}
        </Button>
      }
    >
      <DeliveryList id={webhook.id} />
    </TriggeredDialog>
  )
}

function DeliveryList({ id }: { id: string }) {
  const { t } = useTranslation('settings')
  const list = useDeliveries(id)
  const replay = useReplay(id)
  const deliveries = list.data?.pages.flatMap(({ items }) => items)
  if (!deliveries) {
    return list.error ? <ErrorState error={list.error} onRetry={list.refetch} /> : <Spinner />
  }
  if (deliveries.length === 0) return <EmptyState title={t('webhooks.noDeliveries')} />
  return (
    <>
      {replay.error && <ErrorState error={replay.error} />}
      <ul className="divide-border grid divide-y">
        {deliveries.map((delivery) => {
          const at = localTime(delivery.created_at)
          return (
            <li key={delivery.id} className="grid gap-1 py-3">
              <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
                <span>
                  <code>{delivery.event}</code> <span className="text-muted-foreground">{at}</span>
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
      <MoreButton list={list} />
    </>
  )
}
