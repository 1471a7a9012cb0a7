import { useTranslation } from 'react-i18next'

import { useShownKeys, type KeyHelp } from '@/hooks/useKeyHelp'
import { PALETTE_KEYS } from '@/lib/platform'

import { CommandDialog } from './CommandDialog'

/** The keys of the page that is open, and those of all pages. */
export function KeysDialog() {
  const { t } = useTranslation('commands')
  const ofPage = useShownKeys()
  const groups = [
    { title: t('keys.page'), rows: ofPage },
    {
      title: t('keys.everywhere'),
      rows: [
        { keys: [PALETTE_KEYS.join('+')], text: t('keys.palette') },
        { keys: ['?'], text: t('keys.help') },
      ],
    },
    {
      title: t('keys.inPalette'),
      rows: [
        { keys: ['↑', '↓'], text: t('keys.move') },
        { keys: ['Enter'], text: t('keys.choose') },
        { keys: ['Esc'], text: t('keys.close') },
      ],
    },
  ]
  return (
    <CommandDialog title={t('keys.title')}>
      <div className="grid gap-4">
        {groups.map(
          ({ title, rows }) => rows.length > 0 && <Keys key={title} title={title} rows={rows} />,
        )}
      </div>
    </CommandDialog>
  )
}

function Keys({ title, rows }: { title: string; rows: readonly KeyHelp[] }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-sm font-semibold">{title}</h3>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {rows.map(({ keys, text }) => (
          <div key={text} className="col-span-2 grid grid-cols-subgrid">
            <dt className="flex gap-1">
              {keys.map((name) => (
                <kbd
                  key={name}
                  className="bg-muted border-input min-w-6 rounded border px-1 text-center font-mono text-xs leading-5"
                >
                  {name}
                </kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
