import { lazy, Suspense, type ComponentType } from 'react'

import { Spinner } from '@/components/ui/spinner'

interface Props {
  noteId: string
  title: string
  content: string
}

const panels = import.meta.glob<{ NoteAIPanel: ComponentType<Props> }>(
  '@/components/NoteAIPanel.tsx',
)
const NoNotePanel: ComponentType<Props> = () => null
const NoteAIPanel = lazy(async () => {
  const module = await Object.values(panels)[0]?.()
  return { default: module?.NoteAIPanel ?? NoNotePanel }
})

/** The panel that asks one note; its code is loaded when a note is opened. */
export function AskNote(props: Props) {
  return (
    <Suspense fallback={<Spinner />}>
      <NoteAIPanel {...props} />
    </Suspense>
  )
}
