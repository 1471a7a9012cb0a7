import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { ConfirmDialog } from '@/components/page'
import { Button } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { toast } from '@/lib/toast'

import { useDeleteNote } from '../api/notes'

/** Asks before it deletes the note, and leads back to the notes of its notebook. */
export function DeleteNote({ note }: { note: Schema<'NoteSummary'> }) {
  const { t } = useTranslation(['notes', 'common'])
  const navigate = useNavigate()
  const remove = useDeleteNote()
  const title = note.title || t('untitled')
  return (
    <ConfirmDialog
      trigger={
        <Button variant="outline" size="sm">
          <Trash2 aria-hidden />
          {t('common:delete')}
        </Button>
      }
      title={t('delete.title', { title })}
      description={t('delete.text')}
      action={t('common:delete')}
      request={remove}
      onConfirm={() =>
        remove.mutate(note.id, {
          onSuccess: () => {
            toast(t('delete.done', { title }), 'success')
            void navigate(`/notes?notebook=${note.notebook_id}`)
          },
        })
      }
    />
  )
}
