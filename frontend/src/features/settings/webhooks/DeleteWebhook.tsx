import { useTranslation } from 'react-i18next'

import { ConfirmDialog } from '@/components/page'
import { Button } from '@/components/ui'
import { toast } from '@/lib/toast'

import { useDeleteWebhook, type Webhook } from '../api/webhooks'

export function DeleteWebhook({ webhook: { id, name } }: { webhook: Webhook }) {
  const { t } = useTranslation(['settings', 'common'])
  const request = useDeleteWebhook(id)
  return (
    <ConfirmDialog
      trigger={
        <Button variant="outline" size="sm" aria-label={t('webhooks.deleteOne', { name })}>
          {t('common:delete')}
        </Button>
      }
      title={t('webhooks.deleteTitle', { name })}
      description={t('webhooks.deleteText')}
      action={t('common:delete')}
      request={request}
      onConfirm={(close) =>
        request.mutate(undefined, {
          onSuccess: () => {
            close()
            toast(t('webhooks.deleted', { name }), 'success')
          },
        })
      }
    />
  )
}
