import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import { usePageKeys } from '@/hooks/useKeys'
import { showCommandDialog, useCommandDialog } from '@/lib/commandDialog'
import { LANGUAGES } from '@/lib/language'
import { isPaletteKey, PALETTE_KEYS } from '@/lib/platform'

import { loadStrings } from './i18n'
import { usePages } from './pages'

const CommandPalette = lazy(async () => {
  const [{ CommandPalette: found }] = await Promise.all([
    import('@/features/commands/CommandPalette'),
    loadStrings('commands'),
  ])
  return { default: found }
})
const KeysDialog = lazy(async () => {
  const [{ KeysDialog: found }] = await Promise.all([
    import('@/features/commands/KeysDialog'),
    loadStrings('commands'),
  ])
  return { default: found }
})

/** The palette and the list of keys, opened by keys or from anywhere by showCommandDialog. */
export function Commands() {
  const { t, i18n } = useTranslation('nav')
  const opened = useCommandDialog()
  usePaletteKey()
  usePageKeys({ '?': () => showCommandDialog('keys') })
  const pages = usePages().map(({ to, text }) => ({
    to,
    text: t(text),
    names: LANGUAGES.map((language) => i18n.getFixedT(language, 'nav')(text)),
  }))
  return (
    <Suspense fallback={null}>
      {opened === 'palette' && <CommandPalette pages={pages} />}
      {opened === 'keys' && <KeysDialog />}
    </Suspense>
  )
}

/** Opens the palette, with its key on it where there is room. */
export function CommandButton() {
  const { t } = useTranslation('nav')
  return (
    <Button
      size="sm"
      className="text-muted-foreground max-sm:size-10 max-sm:border-0 max-sm:p-0"
      aria-haspopup="dialog"
      aria-keyshortcuts={PALETTE_KEYS[0] === '⌘' ? 'Meta+K' : 'Control+K'}
      onClick={() => showCommandDialog('palette')}
      icon={Search}
    >
      <span className="max-sm:sr-only">{t('search')}</span>
      <kbd aria-hidden className="ml-2 font-mono text-xs not-pointer-fine:hidden max-sm:hidden">
        {PALETTE_KEYS.join(' ')}
      </kbd>
    </Button>
  )
}

/** Also while somebody types in a field, but not over another dialog. */
function usePaletteKey() {
  const opened = useCommandDialog()
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isPaletteKey(event) || event.repeat) return
      event.preventDefault()
      if (opened === 'palette') showCommandDialog(null)
      else if (opened !== null || !document.querySelector('[role=dialog]'))
        showCommandDialog('palette')
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [opened])
}
