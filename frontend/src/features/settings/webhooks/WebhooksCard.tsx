import { useTranslation } from 'react-i18next'

import { EmptyState, ErrorState } from '@/components/page'
import { Card, CardTitle, Spinner } from '@/components/ui'

import { useWebhooks } from '../api/webhooks'

import { AddWebhook } from './AddWebhook'
import { WebhookItem } from './WebhookItem'

/** Who is told of verdicts and alerts; only those who may change that see it. */
export function WebhooksCard() {
  const { t } = useTranslation('settings')
  const { data: webhooks, error, refetch } = useWebhooks()
  return (
    <Card aria-labelledby="webhooks-title">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <CardTitle id="webhooks-title">{t('webhooks.title')}</CardTitle>
        {webhooks && <AddWebhook />}
      </div>
      <p className="text-muted-foreground text-sm">{t('webhooks.lead')}</p>
      {!webhooks && (error ? <ErrorState error={error} onRetry={refetch} /> : <Spinner />)}
      {webhooks?.items.length === 0 && <EmptyState title={t('webhooks.none')} />}
      <ul className="divide-border grid divide-y">
        {webhooks?.items.map((webhook) => (
          <WebhookItem key={webhook.id} webhook={webhook} />
        ))}
      </ul>
    </Card>
  )
}
