import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ConfirmDialog } from '@/components/page'
import { Button } from '@/components/ui'
import { toast } from '@/lib/toast'

import { useDeleteConversation, type Conversation } from './conversations'

interface Props {
  conversation: Conversation
  onDeleted: (id: string) => void
}

/** Deletes a conversation; its answers and evaluations stay unless the reader says otherwise. */
export function DeleteConversation({ conversation, onDeleted }: Props) {
  const { t } = useTranslation('chat')
  const { id, title, answers } = conversation
  const [withAnswers, setWithAnswers] = useState(false)
  const request = useDeleteConversation(id)
  return (
    <ConfirmDialog
      trigger={
        <Button
          variant="ghost"
          size="icon"
          className="size-8"
          aria-label={t('conversations.deleteOne', { title })}
          title={t('conversations.delete')}
        >
          <Trash2 aria-hidden />
        </Button>
      }
      title={t('conversations.delete')}
      description={t('conversations.whatStays')}
      action={t('conversations.delete')}
      request={request}
      onConfirm={(close) =>
        request.mutate(withAnswers, {
          onSuccess: () => {
            close()
            toast(t('conversations.deleted'), 'success')
            onDeleted(id)
          },
        })
      }
    >
      <label className="flex items-start gap-2 text-sm">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0"
          checked={withAnswers}
          onChange={({ target }) => setWithAnswers(target.checked)}
        />
        {t('conversations.withAnswers', { count: answers })}
      </label>
    </ConfirmDialog>
  )
}
