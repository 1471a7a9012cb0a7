import type { ReactNode } from 'react'

import { ShownDialog } from '@/components/ui'
import { focusOpener, showCommandDialog } from '@/lib/commandDialog'

interface Props {
  title: string
  /** Whether the focus returns to where it was before. */
  returnsFocus?: () => boolean
  children: ReactNode
}

/** A dialog of the whole app, which closes itself. */
export function CommandDialog({ title, returnsFocus = () => true, children }: Props) {
  return (
    <ShownDialog
      title={title}
      onClose={() => showCommandDialog(null)}
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        if (returnsFocus()) focusOpener()
      }}
    >
      {children}
    </ShownDialog>
  )
}
