import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { ErrorState } from '@/components/ErrorState'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import type { Schema } from '@/lib/api'
import { toast } from '@/lib/toast'

import { useDeleteNote } from '../api/notes'

/** Asks before it deletes the note, and leads back to the notes of its notebook. */
export function DeleteNote({ note }: { note: Schema<'NoteSummary'> }) {
  const { t } = useTranslation(['notes', 'common'])
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const { mutate, error, isPending, reset } = useDeleteNote()
  const title = note.title || t('untitled')

  function deleteIt() {
    mutate(note.id, {
      onSuccess: () => {
        toast(t('delete.done', { title }), 'success')
        void navigate(`/notes?notebook=${note.notebook_id}`)
      },
    })
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
        <Button variant="outline" size="sm">
          <Trash2 aria-hidden />
          {t('common:delete')}
        </Button>
      </DialogTrigger>
      <DialogContent title={t('delete.title', { title })} description={t('delete.text')}>
        <div className="grid gap-4">
          {error && <ErrorState error={error} />}
          <div className="flex justify-end gap-2">
            <DialogClose asChild>
              <Button variant="outline">{t('common:cancel')}</Button>
            </DialogClose>
            <Button variant="danger" disabled={isPending} onClick={deleteIt}>
              {t('common:delete')}
            </Button>
          </div>
        </div>
      </DialogContent>
    </Dialog>
  )
}
