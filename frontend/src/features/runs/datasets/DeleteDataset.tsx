import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/ErrorState'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import type { Schema } from '@/lib/api'
import { toast } from '@/lib/toast'

import { useDeleteDataset } from '../api/datasets'

export function DeleteDataset({ dataset }: { dataset: Schema<'DatasetView'> }) {
  const { t } = useTranslation(['runs', 'common'])
  const remove = useDeleteDataset()
  const { id, name, version } = dataset
  const confirm = () => {
    remove.mutate(id, {
      onSuccess: () => {
        toast(t('delete.done'), 'success')
      },
    })
  }
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button
          variant="ghost"
          size="sm"
          aria-label={`${t('common:delete')}: ${t('datasets.versionOf', { name, version })}`}
        >
          <Trash2 aria-hidden />
        </Button>
      </DialogTrigger>
      <DialogContent title={t('delete.title')} description={t('delete.text', { name, version })}>
        {remove.error && <ErrorState error={remove.error} />}
        <div className="mt-4 flex justify-end gap-2">
          <DialogClose asChild>
            <Button variant="outline">{t('common:cancel')}</Button>
          </DialogClose>
          <Button variant="danger" disabled={remove.isPending} onClick={confirm}>
            {t('common:delete')}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
