import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'

import { useRotateToken } from '../api/tokens'

import { RotateDialog } from './RotateDialog'

// The least that the server accepts is an hour.
const HOURS = [1, 24, 72, 168]

/** A new token like this one, which still works for a while. */
export function RotateToken({ token: { id, name } }: { token: Schema<'TokenRead'> }) {
  const { t } = useTranslation('settings')
  const request = useRotateToken(id)
  const made = request.data
  return (
    <RotateDialog
      action={t('tokens.rotate')}
      title={t('tokens.rotateOne', { name })}
      description={t('tokens.rotateText')}
      overlap={t('tokens.overlap')}
      hours={HOURS}
      made={made && { label: t('tokens.made', { name }), secret: made.token }}
      request={request}
      onOpenChange={request.reset}
    />
  )
}
