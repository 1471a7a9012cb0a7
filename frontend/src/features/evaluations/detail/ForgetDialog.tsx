import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { ConfirmDialog } from '@/components/page'
import { Button } from '@/components/ui'
import { toast } from '@/lib/toast'

import { useDeleteAnswer } from '../api/detail'

/** Deletes an answer for good, after asking. */
export function ForgetDialog({ answerId }: { answerId: string }) {
  const { t } = useTranslation(['evaluations', 'common'])
  const navigate = useNavigate()
  const forget = useDeleteAnswer()
  return (
    <ConfirmDialog
      trigger={
        <Button variant="outline">
          <Trash2 aria-hidden />
          {t('forget.open')}
        </Button>
      }
      title={t('forget.title')}
      description={t('forget.text')}
      action={t('common:delete')}
      request={forget}
      onConfirm={() =>
        forget.mutate(answerId, {
          onSuccess: () => {
            toast(t('forget.done'), 'success')
            void navigate('/evaluations')
          },
        })
      }
    />
  )
}
