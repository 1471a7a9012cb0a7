import { BookmarkPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import { toast } from '@/lib/toast'

import { useSaveView, type SavedView, type Shown } from '../api/views'
import { useLabelSettings } from '../label/useLabelSettings'

import { ViewNameDialog } from './ViewNameDialog'

interface Props {
  shown: Shown
  onSaved: (view: SavedView) => void
}

/** Saves what the list shows as a new view. */
export function SaveView({ shown, onSaved }: Props) {
  const { t } = useTranslation('evaluations')
  const { settings } = useLabelSettings()
  const save = useSaveView()
  return (
    <ViewNameDialog
      trigger={
        <Button variant="outline">
          <BookmarkPlus aria-hidden />
          {t('views.save')}
        </Button>
      }
      title={t('views.saveTitle')}
      description={t('views.saveText')}
      request={save}
      onSubmit={(name, close) =>
        save.mutate(
          { ...shown, name, author: settings.author || null },
          {
            onSuccess: (view) => {
              close()
              toast(t('views.saved', { name: view.name }), 'success')
              onSaved(view)
            },
          },
        )
      }
    />
  )
}
