import { useTranslation } from 'react-i18next'

import { Highlighted } from '@/components/answer/Highlighted'
import { ErrorState } from '@/components/page'
import { Dialog, DialogContent, Spinner } from '@/components/ui'

import { useSources } from '../api/detail'

export interface OpenedSource {
  index: number
  quote: string | undefined
}

interface Props {
  id: string
  judged: boolean
  opened: OpenedSource
  onClose: () => void
}

/** A note as the answering model was given it, with the quoted passage marked. */
export function SourceDialog({ id, judged, opened: { index, quote }, onClose }: Props) {
  const { t } = useTranslation('ai')
  const { data: sources, error, isPending, refetch } = useSources(id, judged)
  const source = sources?.find((each) => each.note_index === index)
  const name = t('noteNumber', { index })
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <DialogContent
        title={source?.title ? `${index}. ${source.title}` : name}
        description={source ? t('chat.noteAsGiven') : name}
      >
        {isPending && <Spinner />}
        {error && <ErrorState error={error} onRetry={refetch} />}
        {sources && !source && <p className="text-sm">{t('chat.noteGone')}</p>}
        {source && <Highlighted text={source.content} quote={quote} />}
      </DialogContent>
    </Dialog>
  )
}
