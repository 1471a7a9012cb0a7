import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import type { OpenNote } from '@/components/verdict/SourceList'
import type { MatchedNote } from '@/hooks/useAIStream'

interface Props {
  notes: readonly MatchedNote[]
  onOpenNote: OpenNote
}

/** The notes that the answer was given. */
export function MatchedNotes({ notes, onOpenNote }: Props) {
  const { t } = useTranslation('ai')
  if (notes.length === 0) {
    return <p className="text-muted-foreground text-sm">{t('chat.noMatch')}</p>
  }
  return (
    <div className="text-sm">
      <p className="text-muted-foreground mb-1">{t('chat.matched')}</p>
      <ol className="flex flex-wrap gap-1">
        {notes.map(({ note_index: index, title }) => (
          <li key={index} className="max-w-full">
            <Button
              variant="outline"
              size="sm"
              className="max-w-full justify-start"
              onClick={() => onOpenNote(index)}
            >
              <span className="truncate">
                {index}. {title || t('noteNumber', { index })}
              </span>
            </Button>
          </li>
        ))}
      </ol>
    </div>
  )
}
