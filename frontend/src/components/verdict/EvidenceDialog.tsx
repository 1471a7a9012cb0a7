import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useSources } from '@/hooks/useSources'
import { groundednessOf } from '@/lib/judge'
import type { EvaluationView } from '@/lib/verdict'

import type { OpenedNote } from '../answer/NoteDialog'
import { ErrorState } from '../page'
import { ShownDialog, Spinner } from '../ui'

import { EvidenceView, type Shown } from './EvidenceView'

interface Props {
  view: EvaluationView
  opened: OpenedNote
  onClose: () => void
}

/** A judged answer beside its notes, at the one that was opened. */
export function EvidenceDialog({ view, opened, onClose }: Props) {
  const { t } = useTranslation('ai')
  const { index: note, quote } = opened
  const [shown, setShown] = useState<Shown>({ note, quote, to: 'note' })
  const { data: notes, error, isPending, refetch } = useSources(view.id, true)
  return (
    <ShownDialog wide title={t('evidence')} description={view.question} onClose={onClose}>
      {isPending && <Spinner />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {notes && (
        <EvidenceView
          answer={view.answer}
          lang={view.lang}
          groundedness={groundednessOf(view)}
          notes={notes}
          shown={shown}
          onShow={setShown}
        />
      )}
    </ShownDialog>
  )
}
