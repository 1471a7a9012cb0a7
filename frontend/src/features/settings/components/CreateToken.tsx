import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button, Dialog, DialogContent, DialogTrigger } from '@/components/ui'

import { useCreateToken } from '../api/tokens'

import { NewSecret } from './NewSecret'
import { TokenForm } from './TokenForm'

/** A dialog that makes a token and shows it once; closing it forgets the token. */
export function CreateToken() {
  const { t } = useTranslation('settings')
  const { mutate, data: made, error, isPending, reset } = useCreateToken()
  return (
    <Dialog onOpenChange={reset}>
      <DialogTrigger asChild>
        <Button size="sm">
          <Plus aria-hidden />
          {t('tokens.create')}
        </Button>
      </DialogTrigger>
      <DialogContent title={t('tokens.create')}>
        {made ? (
          <NewSecret label={t('tokens.made', { name: made.name })} secret={made.token} />
        ) : (
          <TokenForm error={error} isPending={isPending} onCreate={mutate} />
        )}
      </DialogContent>
    </Dialog>
  )
}
