import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Dialog, DialogContent, Spinner } from '@/components/ui'
import type { AIMessage } from '@/hooks/useAIStream'
import { useNoteSource } from '@/hooks/useNoteSource'

import { Highlighted } from './Highlighted'

export interface OpenedNote {
  index: number
  quote: string | undefined
}

interface Props {
  message: AIMessage
  opened: OpenedNote
  onClose: () => void
}

/** A note that an answer was given, with the quoted passage marked. */
export function NoteDialog({ message, opened, onClose }: Props) {
  const { t } = useTranslation('ai')
  const { data: source, error, isPending, refetch } = useNoteSource(message, opened.index)
  const name = t('noteNumber', { index: opened.index })
  const title = source?.title ?? titleOf(message, opened.index) ?? ''
  const about = source && (source.asGiven ? t('chat.noteAsGiven') : t('chat.noteAsIs'))
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <DialogContent
        title={`${opened.index}. ${title === '' ? name : title}`}
        description={about ?? name}
      >
        {isPending && <Spinner />}
        {error && <ErrorState error={error} onRetry={refetch} />}
        {source === null && <p className="text-sm">{t('chat.noteGone')}</p>}
        {source && <Highlighted text={source.content} quote={opened.quote} />}
      </DialogContent>
    </Dialog>
  )
}

function titleOf(message: AIMessage, index: number): string | undefined {
  return message.matchedNotes?.find((note) => note.note_index === index)?.title
}
