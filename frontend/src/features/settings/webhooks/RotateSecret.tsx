import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/ErrorState'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { Select } from '@/components/ui/field'

import { useRotateSecret, type Webhook } from '../api/webhooks'
import { NewSecret } from '../components/NewSecret'

const HOURS = [24, 72, 168, 0]

/** A new secret, shown once; for a while deliveries are signed with the present one as well. */
export function RotateSecret({ webhook: { id, name } }: { webhook: Webhook }) {
  const { t } = useTranslation('settings')
  const [hours, setHours] = useState(24)
  const { mutate, data: made, error, isPending, reset } = useRotateSecret(id)
  return (
    <Dialog onOpenChange={reset}>
      <DialogTrigger asChild>
        <Button variant="outline" size="sm" aria-label={t('webhooks.rotateOne', { name })}>
          {t('webhooks.rotate')}
        </Button>
      </DialogTrigger>
      <DialogContent
        title={t('webhooks.rotateOne', { name })}
        description={t('webhooks.rotateText')}
      >
        {made ? (
          <NewSecret label={t('webhooks.secretOf', { name })} secret={made.secret} />
        ) : (
          <div className="grid gap-4">
            <Select
              label={t('webhooks.overlap')}
              value={hours}
              onChange={({ target }) => {
                setHours(Number(target.value))
              }}
            >
              {HOURS.map((count) => (
                <option key={count} value={count}>
                  {count === 0 ? t('webhooks.atOnce') : t('webhooks.hours', { count })}
                </option>
              ))}
            </Select>
            {error && <ErrorState error={error} />}
            <Button
              className="justify-self-end"
              disabled={isPending}
              onClick={() => {
                mutate(hours)
              }}
            >
              {t('webhooks.rotate')}
            </Button>
          </div>
        )}
      </DialogContent>
    </Dialog>
  )
}
