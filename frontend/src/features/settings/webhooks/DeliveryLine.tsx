import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'
import { localTime, milliseconds } from '@/lib/figures'

import type { Delivery } from '../api/webhooks'

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
