import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { Dialog, DialogContent } from '@/components/ui/dialog'
import { focusOpener, showCommandDialog } from '@/lib/commandDialog'

import { Finder } from './Finder'
import type { Item } from './items'
import { addVisit } from './recent'
import type { MenuPage } from './useItems'

/** Finds pages, commands, notes and questions by what is typed. */
export function CommandPalette({ pages }: { pages: readonly MenuPage[] }) {
  const { t } = useTranslation('commands')
  const navigate = useNavigate()
  const left = useRef(false)

  function choose({ action, text, group }: Item) {
    showCommandDialog(null)
    if (typeof action === 'function') {
      action()
      return
    }
    left.current = true
    if (group !== 'evaluation') addVisit({ to: action.to, text })
    void navigate(action.to)
  }

  return (
    <Dialog
      open
      onOpenChange={() => {
        showCommandDialog(null)
      }}
    >
      <DialogContent
        title={t('title')}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          // A page that is gone to takes the focus itself.
          if (!left.current) focusOpener()
        }}
      >
        <Finder pages={pages} onChoose={choose} />
      </DialogContent>
    </Dialog>
  )
}
