import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Spinner } from '@/components/ui'

import { useDelivery, useTestWebhook, type Webhook } from '../api/webhooks'

import { DeliveryLine } from './DeliveryLine'

/** Has a test event sent, and shows what came of it. */
export function TestWebhook({ webhook: { id, name, enabled } }: { webhook: Webhook }) {
  const { t } = useTranslation('settings')
  const { mutate, data: sent, error, isPending } = useTestWebhook(id)
  const { data: delivery = sent } = useDelivery(id, sent?.id ?? null)
  return (
    <>
      <Button
        variant="outline"
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
