import { lazy, Suspense, type ComponentProps } from 'react'

import { Spinner } from '@/components/ui'

const NoteAIPanel = lazy(async () => ({
  default: (await import('@/components/NoteAIPanel')).NoteAIPanel,
}))

/** The panel that asks one note; its code is loaded when a note is opened. */
export function AskNote(props: ComponentProps<typeof NoteAIPanel>) {
  return (
    <Suspense fallback={<Spinner />}>
      <NoteAIPanel {...props} />
    </Suspense>
  )
}
