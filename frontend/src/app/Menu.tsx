import { Menu } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, useMatch } from 'react-router'

import { IconButton } from '@/components/ui'
import { cn } from '@/lib/cn'

import { usePages } from './pages'

/** On narrow screens: opens the pages in a drawer over the one that is shown. */
export function MenuButton() {
  const { t } = useTranslation('nav')
  const [open, setOpen] = useState(false)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>
        <IconButton className="md:hidden" label={t('menu')} icon={Menu} />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/50 md:hidden" />
        <Dialog.Content
          className="bg-card fixed inset-y-0 left-0 z-50 w-64 max-w-[85vw] overflow-y-auto shadow-lg transition-transform md:hidden starting:-translate-x-full"
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            // The heading of a page that was chosen has it.
            if (document.activeElement !== document.body) event.preventDefault()
          }}
        >
          <Dialog.Title className="sr-only">{t('menu')}</Dialog.Title>
          <Navigation onChoose={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface Props {
  className?: string
  onChoose?: () => void
}

/** The pages that this reader may open. */
export function Navigation({ className, onChoose }: Props) {
  const { t } = useTranslation('nav')
  const pages = usePages()
  const inConversation = useMatch('/c/:conversation') !== null
  return (
    <nav aria-label={t('label')} className={className}>
      <ul className="grid gap-1 p-3">
        {pages.map(({ to, text, Icon }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={to === '/'}
              {...(onChoose && { onClick: onChoose })}
              className={({ isActive }) =>
                cn(
                  'flex min-h-10 items-center gap-3 rounded-md px-3 text-sm font-medium',
                  isActive || (to === '/' && inConversation)
                    ? 'bg-accent text-accent-foreground'
                    : 'hover:bg-muted',
                )
              }
            >
              <Icon aria-hidden className="size-4" />
              {t(text)}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
