import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { useKeyHelp } from '@/hooks/useKeyHelp'
import { usePageKeys } from '@/hooks/useKeys'

import type { EvaluationRow } from './api/list'
import type { Selected } from './bulk/useSelection'
import { useLabelSettings } from './label/useLabelSettings'

const NONE = {}

interface Keys {
  rows: readonly EvaluationRow[]
  selected: Selected
  /** The verdict in the panel; it follows the rows that are gone through. */
  openId: string | null
  onOpen: (id: string) => void
  onTestCase: (row: EvaluationRow) => void
}

/** Keys of the list: its rows are gone through by the focus, which stands on their questions, so
 * that Enter opens one. Give `list` what the table lies in. */
export function useListKeys({ rows, selected, openId, onOpen, onTestCase }: Keys) {
  const { t } = useTranslation('evaluations')
  const list = useRef<HTMLDivElement>(null)
  const last = useRef(-1)
  const questions = () => [...(list.current?.querySelectorAll<HTMLElement>('tbody th a') ?? [])]
  /** The row that has the focus, else the one that is open, or that had the focus last. */
  const here = () => {
    const focused = questions().findIndex((each) =>
      each.closest('tr')?.contains(document.activeElement),
    )
    if (focused !== -1) return focused
    const open = rows.findIndex(({ id }) => id === openId)
    return open === -1 ? last.current : open
  }
  const stand = (at: number) => {
    const question = questions()[at]
    question?.focus({ preventScroll: true })
    question?.closest('tr')?.scrollIntoView({ block: 'nearest' })
  }
  const go = (by: 1 | -1) => {
    last.current = Math.min(rows.length - 1, Math.max(0, here() + by))
    stand(last.current)
    const row = rows[last.current]
    if (openId !== null && row) onOpen(row.id)
  }
  const opened = useRef(openId)
  useEffect(() => {
    const closed = openId === null ? rows.findIndex(({ id }) => id === opened.current) : -1
    opened.current = openId
    if (closed !== -1) stand(closed)
  })
  const { settings } = useLabelSettings()
  useKeyHelp(
    settings.keys
      ? [
          { keys: ['j', 'k'], text: t('keys.go') },
          { keys: ['Enter', 'o'], text: t('keys.open') },
          { keys: ['x'], text: t('keys.select') },
          { keys: ['t'], text: t('keys.testCase') },
          { keys: ['Esc'], text: t('keys.clear') },
        ]
      : [],
  )
  const actions = {
    j: () => go(1),
    k: () => go(-1),
    o: () => questions()[here()]?.click(),
    x: () => {
      const row = rows[here()]
      if (row) selected.toggle(row.id)
    },
    t: () => {
      const row = rows[here()]
      if (row) onTestCase(row)
    },
  }
  // Escape closes the panel first.
  const escape = openId === null ? { Escape: selected.clear } : {}
  usePageKeys(settings.keys ? { ...actions, ...escape } : NONE)
  return list
}
