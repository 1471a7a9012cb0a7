import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { OpenNote } from '@/components/verdict/SourceList'

interface Props {
  index: number
  children: ReactNode
  onOpenNote: OpenNote | undefined
}

/** `[노트 n]` in an answer; opens the note. */
export function NoteMark({ index, children, onOpenNote }: Props) {
  const { t } = useTranslation('ai')
  if (!onOpenNote) return <>{children}</>
  const name = t('openNote', { index })
  const seen = typeof children === 'string' ? children : ''
  return (
    <button
      type="button"
      aria-label={holds(name, seen) ? name : `${seen} ${name}`}
      className="bg-accent text-accent-foreground mx-0.5 inline-block min-h-6 min-w-6 rounded px-1 text-[0.85em] whitespace-nowrap hover:underline"
      onClick={() => onOpenNote(index)}
    >
      {children}
    </button>
  )
}

/** Whether a name says what is seen, so that the button can be called by either; an answer may be in
 * another language than the page. */
function holds(name: string, seen: string): boolean {
  const words = seen.replaceAll(/[^\p{L}\p{N} ]/gu, '')
  return name.toLowerCase().includes(words.toLowerCase())
}
