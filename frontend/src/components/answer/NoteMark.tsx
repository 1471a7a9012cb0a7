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
  return (
    <button
      type="button"
      aria-label={t('openNote', { index })}
      className="bg-accent text-accent-foreground mx-0.5 inline-block min-h-6 min-w-6 rounded px-1 text-[0.85em] whitespace-nowrap hover:underline"
      onClick={() => {
        onOpenNote(index)
      }}
    >
      {children}
    </button>
  )
}
