import { useTranslation } from 'react-i18next'
import { NavLink, useMatch } from 'react-router'

import { cn } from '@/lib/cn'

import { usePages } from './usePages'

/** A column beside the page; on narrow screens a list that the menu button opens. */
export function Navigation({ id, open }: { id: string; open: boolean }) {
  const { t } = useTranslation('nav')
  const pages = usePages()
  const inConversation = useMatch('/c/:conversation') !== null
  return (
    <nav
      id={id}
      aria-label={t('label')}
      className={cn('border-border md:block md:w-52 md:shrink-0 md:border-r', !open && 'hidden')}
    >
      <ul className="grid gap-1 p-3 md:sticky md:top-14">
        {pages.map(({ to, text, Icon }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={to === '/'}
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
