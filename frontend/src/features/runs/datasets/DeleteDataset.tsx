import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { ConfirmDialog } from '@/components/page'
import { Button } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { toast } from '@/lib/toast'

import { useDeleteDataset } from '../api/datasets'

export function DeleteDataset({ dataset }: { dataset: Schema<'DatasetView'> }) {
  const { t } = useTranslation(['runs', 'common'])
  const remove = useDeleteDataset()
  const { id, name, version } = dataset
  return (
    <ConfirmDialog
      trigger={
        <Button
          variant="ghost"
          size="sm"
          aria-label={`${t('common:delete')}: ${t('datasets.versionOf', { name, version })}`}
        >
          <Trash2 aria-hidden />
        </Button>
      }
      title={t('delete.title')}
      description={t('delete.text', { name, version })}
      action={t('common:delete')}
      request={remove}
      onConfirm={() =>
        remove.mutate(id, {
          onSuccess: () => toast(t('delete.done'), 'success'),
        })
      }
    />
  )
}
