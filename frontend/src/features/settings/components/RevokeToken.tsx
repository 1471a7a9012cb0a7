import { useTranslation } from 'react-i18next'

import { ConfirmDialog } from '@/components/page'
import { Button } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { ApiError } from '@/lib/problem'
import { toast } from '@/lib/toast'

import { useRevokeToken } from '../api/tokens'

/** Asks before it revokes, and once more when no other token could manage the workspace. */
export function RevokeToken({ token: { id, name, current } }: { token: Schema<'TokenRead'> }) {
  const { t } = useTranslation('settings')
  const revoke = useRevokeToken()
  const isLast = revoke.error instanceof ApiError && revoke.error.code === 'last-admin-token'
  return (
    <ConfirmDialog
      trigger={
        <Button variant="outline" size="sm" aria-label={t('tokens.revokeOne', { name })}>
          {t('tokens.revoke')}
        </Button>
      }
      title={t('tokens.revokeTitle', { name })}
      description={t(current ? 'tokens.revokeCurrent' : 'tokens.revokeText')}
      action={t(isLast ? 'tokens.revokeAnyway' : 'tokens.revoke')}
      request={revoke}
      onConfirm={(close) =>
        revoke.mutate(
          { id, evenLastAdmin: isLast },
          {
            onSuccess: () => {
              close()
              toast(t('tokens.revoked', { name }), 'success')
            },
          },
        )
      }
    />
  )
}
