import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { Card, CardTitle } from '@/components/ui'

import { AIChat } from './AIChat'

interface Props {
  noteId: string
  title: string
  /** Its text; a note without any has nothing to answer from. */
  content: string
}

/** Asks one note: the model is given it whole, instead of what a search finds. */
export function NoteAIPanel({ noteId, title, content }: Props) {
  const { t } = useTranslation('ai')
  const options = useMemo(() => ({ note_id: noteId }), [noteId])
  return (
    <Card aria-label={`${t('chat.askNote')}: ${title}`}>
      <CardTitle>{t('chat.askNote')}</CardTitle>
      {content.trim() === '' ? (
        <p className="text-muted-foreground text-sm">{t('chat.blankNote')}</p>
      ) : (
        <>
          <p className="text-muted-foreground -mt-2 mb-4 text-sm">{t('chat.askNoteLead')}</p>
          <AIChat conversation={`note.${noteId}`} options={options} />
        </>
      )}
    </Card>
  )
}
