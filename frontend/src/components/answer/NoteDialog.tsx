import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { ShownDialog, Spinner } from '@/components/ui'
import type { NoteSource } from '@/hooks/useNoteSource'

import { Highlighted } from './Highlighted'

/** A note by its number, and the passage that is marked in it. */
export interface OpenedNote {
  index: number
  quote: string | undefined
}

interface Props {
  opened: OpenedNote
  /** Null where nobody has its text. */
  source: NoteSource | null | undefined
  title?: string | undefined
  query: { error: unknown; isPending: boolean; refetch: () => unknown }
  onClose: () => void
}

/** A note that an answer was given, with the quoted passage marked. */
export function NoteDialog({ opened: { index, quote }, source, title, query, onClose }: Props) {
  const { t } = useTranslation('ai')
  const name = t('noteNumber', { index })
  const about = source && t(source.asGiven ? 'chat.noteAsGiven' : 'chat.noteAsIs')
  return (
    <ShownDialog title={title ?? name} description={about ?? name} onClose={onClose}>
      {query.isPending && <Spinner />}
      {Boolean(query.error) && <ErrorState error={query.error} onRetry={query.refetch} />}
      {source === null && <p className="text-sm">{t('chat.noteGone')}</p>}
      {source && <Highlighted text={source.content} quote={quote} />}
    </ShownDialog>
  )
}
