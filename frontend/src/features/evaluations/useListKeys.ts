import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { useKeyHelp } from '@/hooks/useKeyHelp'
import { usePageKeys } from '@/hooks/useKeys'

import type { Selected } from './bulk/useSelection'
import { useLabelSettings } from './label/useLabelSettings'

const NONE = {}

/** Keys of the list: its rows are gone through by the focus, which stands on their questions, so
 * that Enter opens one. Give `list` what the table lies in. */
export function useListKeys(shown: readonly string[], selected: Selected) {
  const { t } = useTranslation('evaluations')
  const list = useRef<HTMLDivElement>(null)
  const last = useRef(-1)
  const questions = () => [...(list.current?.querySelectorAll<HTMLElement>('tbody th a') ?? [])]
  /** The row that has the focus, or had it last. */
  const here = () => {
    const focused = questions().findIndex((each) =>
      each.closest('tr')?.contains(document.activeElement),
    )
    return focused === -1 ? last.current : focused
  }
  const go = (by: 1 | -1) => {
    const rows = questions()
    last.current = Math.min(rows.length - 1, Math.max(0, here() + by))
    rows[last.current]?.focus({ preventScroll: true })
    rows[last.current]?.closest('tr')?.scrollIntoView({ block: 'nearest' })
  }
  const { settings } = useLabelSettings()
  useKeyHelp(
    settings.keys
      ? [
          { keys: ['j', 'k'], text: t('keys.go') },
          { keys: ['Enter', 'o'], text: t('keys.open') },
          { keys: ['x'], text: t('keys.select') },
          { keys: ['Esc'], text: t('keys.clear') },
        ]
      : [],
  )
  const actions = {
    j: () => go(1),
    k: () => go(-1),
    o: () => questions()[here()]?.click(),
    x: () => {
      const id = shown[here()]
      if (id !== undefined) selected.toggle(id)
    },
    Escape: selected.clear,
  }
  usePageKeys(settings.keys ? actions : NONE)
  return list
}
