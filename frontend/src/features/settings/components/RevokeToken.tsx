import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/ErrorState'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import type { Schema } from '@/lib/api'
import { ApiError } from '@/lib/problem'
import { toast } from '@/lib/toast'

import { useRevokeToken } from '../api/tokens'

/** Asks before it revokes, and once more when no other token could manage the workspace. */
export function RevokeToken({ token: { id, name, current } }: { token: Schema<'TokenRead'> }) {
  const { t } = useTranslation(['settings', 'common'])
  const [open, setOpen] = useState(false)
  const { mutate, error, isPending, reset } = useRevokeToken()
  const isLast = error instanceof ApiError && error.code === 'last-admin-token'
  function revoke() {
    mutate(
      { id, evenLastAdmin: isLast },
      {
        onSuccess: () => {
          setOpen(false)
          toast(t('tokens.revoked', { name }), 'success')
        },
      },
    )
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        reset()
      }}
    >
      <DialogTrigger asChild>
        <Button variant="outline" size="sm" aria-label={t('tokens.revokeOne', { name })}>
          {t('tokens.revoke')}
        </Button>
      </DialogTrigger>
      <DialogContent
        title={t('tokens.revokeTitle', { name })}
        description={t(current ? 'tokens.revokeCurrent' : 'tokens.revokeText')}
      >
        <div className="grid gap-4">
          {error && <ErrorState error={error} />}
          <div className="flex justify-end gap-2">
            <DialogClose asChild>
              <Button variant="outline">{t('common:cancel')}</Button>
            </DialogClose>
            <Button variant="danger" disabled={isPending} onClick={revoke}>
              {t(isLast ? 'tokens.revokeAnyway' : 'tokens.revoke')}
            </Button>
          </div>
        </div>
      </DialogContent>
    </Dialog>
  )
}
