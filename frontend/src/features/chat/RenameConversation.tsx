import { Pencil } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Dialog, DialogClose, DialogContent, DialogTrigger, Input } from '@/components/ui'

import { useRename, type Conversation } from './conversations'

// As the API limits it.
const MAX_TITLE = 200

export function RenameConversation({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation(['chat', 'common'])
  const { id, title } = conversation
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const { mutate, isPending, error, reset } = useRename(id)
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    const onSuccess = () => setOpen(false)
    mutate(name.trim() || null, { onSuccess })
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        setName(title)
        reset()
      }}
    >
      <DialogTrigger asChild>
        <Button
          variant="ghost"
          size="icon"
          className="size-8"
          aria-label={t('chat:conversations.renameOne', { title })}
          title={t('chat:conversations.rename')}
        >
          <Pencil aria-hidden />
        </Button>
      </DialogTrigger>
      <DialogContent title={t('chat:conversations.rename')}>
        <form onSubmit={send} className="grid gap-4">
          <Input
            label={t('chat:conversations.name')}
            hint={t('chat:conversations.nameHint')}
            maxLength={MAX_TITLE}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          {error && <ErrorState error={error} />}
          <div className="flex justify-end gap-2">
            <DialogClose asChild>
              <Button variant="outline">{t('common:cancel')}</Button>
            </DialogClose>
            <Button type="submit" disabled={isPending}>
              {t('common:save')}
            </Button>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  )
}
