import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button, Dialog, DialogContent, DialogTrigger } from '@/components/ui'
import { currentLanguage } from '@/lib/language'

import { useAddWebhook } from '../api/webhooks'
import { NewSecret } from '../components/NewSecret'

import { WebhookForm } from './WebhookForm'
import { emptyDraft } from './webhookDraft'

/** A dialog that adds a webhook and shows its secret once. */
export function AddWebhook() {
  const { t } = useTranslation('settings')
  const { mutate, data: made, error, isPending, reset } = useAddWebhook()
  return (
    <Dialog onOpenChange={reset}>
      <DialogTrigger asChild>
        <Button size="sm">
          <Plus aria-hidden />
          {t('webhooks.add')}
        </Button>
      </DialogTrigger>
      <DialogContent title={t('webhooks.add')}>
        {made ? (
          <NewSecret label={t('webhooks.secretOf', { name: made.name })} secret={made.secret} />
        ) : (
          <WebhookForm
            initial={emptyDraft(currentLanguage())}
            error={error}
            isPending={isPending}
            onSave={mutate}
          />
        )}
      </DialogContent>
    </Dialog>
  )
}
