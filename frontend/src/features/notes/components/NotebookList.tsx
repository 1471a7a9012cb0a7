import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { cn } from '@/lib/cn'

interface Props {
  notebooks: readonly Schema<'NotebookRead'>[]
  chosen: string
  onChoose: (id: string) => void
}

export function NotebookList({ notebooks, chosen, onChoose }: Props) {
  const { t } = useTranslation('notes')
  const total = notebooks.reduce((sum, { notes }) => sum + notes, 0)
  const rows = [{ id: '', name: t('allNotebooks'), notes: total }, ...notebooks]
  return (
    <ul
      aria-label={t('notebooks')}
      className="flex gap-1 overflow-x-auto pb-1 lg:sticky lg:top-4 lg:max-h-[80dvh] lg:flex-col lg:overflow-y-auto"
    >
      {rows.map(({ id, name, notes }) => (
        <li key={id} className="shrink-0">
          <Button
            variant="ghost"
            aria-pressed={id === chosen}
            className={cn(
              'max-w-64 justify-between font-normal lg:w-full lg:max-w-none',
              id === chosen && 'bg-accent text-accent-foreground font-medium',
            )}
            onClick={() => onChoose(id)}
          >
            <span className="truncate">{name}</span>
            <span className="tabular-nums">{notes}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
