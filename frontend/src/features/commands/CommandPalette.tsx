import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { showCommandDialog } from '@/lib/commandDialog'

import { CommandDialog } from './CommandDialog'
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
    // A page that is gone to takes the focus itself.
    <CommandDialog title={t('title')} returnsFocus={() => !left.current}>
      <Finder pages={pages} onChoose={choose} />
    </CommandDialog>
  )
}
