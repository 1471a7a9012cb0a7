import { useTranslation } from 'react-i18next'

import { useRotateSecret, type Webhook } from '../api/webhooks'
import { RotateDialog } from '../components/RotateDialog'

const HOURS = [24, 72, 168, 0]

/** A new secret; for a while deliveries are signed with the present one as well. */
export function RotateSecret({ webhook: { id, name } }: { webhook: Webhook }) {
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
