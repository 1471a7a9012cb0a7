import { Menu } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'

import { LanguageSwitch } from '@/components/LanguageSwitch'
import { ThemeSwitch } from '@/components/ThemeSwitch'
import { Toaster } from '@/components/Toaster'
import { Button } from '@/components/ui'
import type { PageState } from '@/lib/pageState'
import { useSignedOut } from '@/lib/session'

import { CommandButton, Commands } from './Commands'
import { DataAge } from './DataAge'
import { HealthBanner } from './HealthBanner'
import { Navigation } from './Navigation'
import { SignInPage } from './SignInPage'

/** What surrounds every page. */
export function Shell() {
  const { t } = useTranslation(['common', 'nav'])
  const location = useLocation()
  const { pathname } = location
  const state = location.state as PageState | null
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const open = openedAt === pathname
  const signedOut = useSignedOut()
  const loading = useNavigation().state === 'loading'
  const main = useFocusOnNewPage(pathname, state?.keepFocus ?? false)

  return (
    <>
      <a
        href="#main"
        className="bg-primary text-primary-foreground fixed top-2 left-2 z-50 -translate-y-20 rounded-md px-4 py-2 focus:translate-y-0"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {t('skipToContent')}
      </a>
      <header className="bg-card border-border sticky top-0 z-30 flex h-14 items-center gap-1 border-b px-2 sm:gap-2 sm:px-3">
        <Button
          variant="ghost"
          size="icon"
          className="md:hidden"
          aria-label={t('nav:menu')}
          aria-expanded={open}
          aria-controls="navigation"
          onClick={() => setOpenedAt(open ? null : pathname)}
        >
          <Menu aria-hidden />
        </Button>
        <Link to="/" className="mr-auto min-w-0 truncate text-lg font-bold">
          {t('appName')}
        </Link>
        <CommandButton />
        <LanguageSwitch />
        <ThemeSwitch />
      </header>
      {!signedOut && <HealthBanner />}
      <div className="mx-auto max-w-screen-2xl md:flex">
        <Navigation id="navigation" open={open} />
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          aria-busy={loading}
          className="min-h-[calc(100dvh-3.5rem)] min-w-0 flex-1 p-4 outline-none md:p-8"
        >
          {signedOut ? <SignInPage /> : <Outlet />}
          {!signedOut && <DataAge />}
        </main>
      </div>
      <Toaster />
      {!signedOut && <Commands />}
      <ScrollRestoration />
    </>
  )
}

/** Moves the focus to the heading of a page that was navigated to, so that keyboards and screen
 * readers begin there; not to the one that was opened first, nor where a page has only got an address
 * of its own (`keepFocus`). */
function useFocusOnNewPage(pathname: string, keepFocus: boolean) {
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (keepFocus) return
    const heading = main.current?.querySelector('h1')
    // Where a page is scrolled to is up to ScrollRestoration: Back comes to the old place.
    ;(heading ?? main.current)?.focus({ preventScroll: true })
  }, [pathname, keepFocus])
  return main
}
