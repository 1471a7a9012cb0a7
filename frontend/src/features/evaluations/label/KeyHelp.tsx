import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui/button'
import { cn } from '@/lib/cn'

const ROWS = [
  [['1', '2', '3'], 'label'],
  [['4', '5', '6'], 'utility'],
  [['c'], 'comment'],
  [['j', 'k'], 'go'],
  [['u'], 'undo'],
  [['?'], 'help'],
] as const

/** A key as it is written on the keyboard; fingers need none, and a phone has no room. */
export function Key({ name }: { name: string }) {
  return (
    <kbd
      aria-hidden
      className="hidden rounded border border-current px-1 font-mono text-xs opacity-80 sm:pointer-fine:inline"
    >
      {name}
    </kbd>
  )
}

/** All keys, opened and closed by `?`. */
export function KeyHelp({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  const { t } = useTranslation('evaluations')
  return (
    <div className="grid justify-items-end gap-2">
      <Button
        variant="ghost"
        size="sm"
        aria-expanded={open}
        aria-controls="label-keys"
        aria-keyshortcuts="?"
        onClick={onToggle}
      >
        {t('label.help.title')}
        <Key name="?" />
      </Button>
      <dl
        id="label-keys"
        hidden={!open}
        className={cn(
          'bg-muted grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-md p-3',
          open && 'grid',
        )}
      >
        {ROWS.map(([names, meaning]) => (
          <div key={meaning} className="col-span-2 grid grid-cols-subgrid">
            <dt>
              {names.map((name) => (
                <kbd key={name} className="mr-1 font-mono">
                  {name}
                </kbd>
              ))}
            </dt>
            <dd>{t(`label.help.${meaning}`)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
