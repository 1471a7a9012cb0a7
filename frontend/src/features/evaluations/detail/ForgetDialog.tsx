import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { ErrorState } from '@/components/ErrorState'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { toast } from '@/lib/toast'

import { useForget } from '../api/actions'

/** Deletes an answer for good, after asking. */
export function ForgetDialog({ answerId }: { answerId: string }) {
  const { t } = useTranslation(['evaluations', 'common'])
  const navigate = useNavigate()
  const { mutate, isPending, error } = useForget()
  const forget = () => {
    mutate(answerId, {
      onSuccess: () => {
        toast(t('forget.done'), 'success')
        void navigate('/evaluations')
      },
    })
  }
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="outline">
          <Trash2 aria-hidden />
          {t('forget.open')}
        </Button>
      </DialogTrigger>
      <DialogContent title={t('forget.title')} description={t('forget.text')}>
        {error && <ErrorState error={error} />}
        <div className="mt-4 flex justify-end gap-2">
          <DialogClose asChild>
            <Button variant="outline">{t('common:cancel')}</Button>
          </DialogClose>
          <Button variant="danger" disabled={isPending} onClick={forget}>
            {t('common:delete')}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
