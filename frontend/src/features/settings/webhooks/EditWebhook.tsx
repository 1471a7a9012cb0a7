import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, Dialog, DialogContent, DialogTrigger } from '@/components/ui'
import { toast } from '@/lib/toast'

import { useChangeWebhook, type Webhook } from '../api/webhooks'

import { WebhookForm } from './WebhookForm'
import { draftOf, hidesAddress } from './webhookDraft'

export function EditWebhook({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('settings')
  const { name } = webhook
  const [open, setOpen] = useState(false)
  const { mutate, error, isPending, reset } = useChangeWebhook(webhook.id)
  const addressKept = hidesAddress(webhook)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        reset()
      }}
    >
      <DialogTrigger asChild>
        <Button variant="outline" size="sm" aria-label={t('webhooks.editOne', { name })}>
          {t('webhooks.edit')}
        </Button>
      </DialogTrigger>
      <DialogContent title={t('webhooks.editOne', { name })}>
        <WebhookForm
          initial={draftOf(webhook)}
          addressKept={addressKept}
          error={error}
          isPending={isPending}
          onSave={({ url, ...rest }) =>
            mutate(url === '' ? rest : { ...rest, url }, {
              onSuccess: () => {
                setOpen(false)
                toast(t('webhooks.saved', { name }), 'success')
              },
            })
          }
        />
      </DialogContent>
    </Dialog>
  )
}
