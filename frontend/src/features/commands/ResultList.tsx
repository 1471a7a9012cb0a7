import { useTranslation } from 'react-i18next'

import { cn } from '@/lib/cn'

import { GROUPS, type Item } from './items'

interface Props {
  id: string
  items: readonly Item[]
  current: Item | undefined
  /** The id of an item's element. */
  optionOf: (item: Item) => string
  onMove: (id: string) => void
  onChoose: (item: Item) => void
}

/** What was found, in groups. Of one height, so that the dialog stays where it is. */
export function ResultList({ id, items, current, optionOf, onMove, onChoose }: Props) {
  const { t } = useTranslation('commands')
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t('list')}
      className="h-80 max-h-[45dvh] overflow-y-auto"
    >
      {GROUPS.map((group) => {
        const shown = items.filter((item) => item.group === group)
        if (shown.length === 0) return null
        return (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`} className="mb-2">
            <p
              id={`${id}-${group}`}
              role="presentation"
              className="text-muted-foreground px-2 py-1 text-xs font-semibold"
            >
              {t(`groups.${group}`)}
            </p>
            {shown.map((item) => (
              // The keys are the field's, which has the focus.
              // eslint-disable-next-line jsx-a11y/click-events-have-key-events
              <div
                key={item.id}
                id={optionOf(item)}
                role="option"
                aria-selected={item === current}
                tabIndex={-1}
                className={cn(
                  'flex min-h-10 cursor-pointer items-center rounded-md border-l-4 px-2 py-1 text-sm',
                  item === current
                    ? 'bg-accent text-accent-foreground border-primary'
                    : 'border-transparent',
                )}
                onPointerMove={() => onMove(item.id)}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => onChoose(item)}
              >
                <span className="line-clamp-2">{item.text}</span>
              </div>
            ))}
          </div>
        )
      })}
    </div>
  )
}
