import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import { useKeyHelp } from '@/hooks/useKeyHelp'
import { showCommandDialog } from '@/lib/commandDialog'

const ROWS = [
  [['1', '2', '3'], 'label'],
  [['4', '5', '6'], 'utility'],
  [['c'], 'comment'],
  [['t'], 'testCase'],
  [['j', 'k'], 'go'],
  [['u'], 'undo'],
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

/** Lists the keys of labelling among those of the page, and opens that list. */
export function KeyHelp() {
  const { t } = useTranslation('evaluations')
  useKeyHelp(ROWS.map(([keys, meaning]) => ({ keys, text: t(`label.help.${meaning}`) })))
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-haspopup="dialog"
      aria-keyshortcuts="?"
      onClick={() => showCommandDialog('keys')}
    >
      {t('label.help.title')}
      <Key name="?" />
    </Button>
  )
}
