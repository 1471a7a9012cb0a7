import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Moon, Sun } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'

import { LanguageSwitch } from '@/components/LanguageSwitch'
import { PageHeader } from '@/components/page'
import { Button, ButtonLink, Card } from '@/components/ui'
import { apiFetch } from '@/lib/api'
import type { PageState } from '@/lib/page'
import { setSignedOut, useDataAge, useSignedOut } from '@/lib/session'
import { changeTheme, THEMES, useTheme } from '@/lib/theme'
import { dismissErrors } from '@/lib/toast'

import { CommandButton, Commands } from './Commands'
import { HealthBanner } from './HealthBanner'
import { MenuButton, Navigation } from './Menu'

// Nothing is said before the page is there.
const Toaster = lazy(() => import('./Toaster'))

/** What surrounds every page. */
export function Shell() {
  const { t } = useTranslation()
  const location = useLocation()
  const { pathname } = location
  const state = location.state as PageState | null
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
        <MenuButton />
        <Link to="/" className="mr-auto font-bold sm:text-lg">
          {t('appName')}
        </Link>
        <CommandButton />
        <LanguageSwitch />
        <ThemeSwitch />
      </header>
      {!signedOut && <HealthBanner />}
      <div className="mx-auto max-w-screen-2xl md:flex">
        <aside className="border-border hidden w-52 shrink-0 border-r md:block">
          <Navigation className="sticky top-14" />
        </aside>
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          aria-busy={loading}
          className="min-h-[calc(100dvh-3.5rem)] min-w-0 flex-1 p-4 outline-none md:p-page"
        >
          {signedOut ? <SignInPage /> : <Outlet />}
          {!signedOut && <DataAge />}
        </main>
      </div>
      <Suspense fallback={null}>
        <Toaster />
      </Suspense>
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
    dismissErrors()
    if (keepFocus) return
    const heading = main.current?.querySelector('h1')
    // Where a page is scrolled to is up to ScrollRestoration: Back comes to the old place.
    ;(heading ?? main.current)?.focus({ preventScroll: true })
  }, [pathname, keepFocus])
  return main
}

/** How old lists and figures may be where a replica is read. */
function DataAge() {
  const { t } = useTranslation('common')
  const seconds = useDataAge()
  if (seconds === null) return null
  return (
    <p className="text-muted-foreground border-border mt-8 border-t pt-2 text-sm">
      {t('dataAge', { seconds })}
    </p>
  )
}

/** Shown when the API asks who this is: the company's login where there is one, and the command of
 * the operator's machine that makes a login link. */
function SignInPage() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { data: provider } = useQuery({
    queryKey: ['login-provider'],
    queryFn: async ({ signal }) => {
      const response = await apiFetch('/login/provider', { signal })
      return (await response.json()) as { name: string | null }
    },
  })
  // The browser's own: the router's lacks `/ui`.
  const { pathname, search } = window.location

  async function goOn() {
    await queries.resetQueries()
    setSignedOut(false)
  }

  return (
    <>
      <PageHeader title={t('signIn.title')} />
      <Card className="grid max-w-xl justify-items-start gap-3">
        {provider?.name && (
          <>
            <ButtonLink
              variant="primary"
              href={`/login/oidc?next=${encodeURIComponent(pathname + search)}`}
            >
              {t('signIn.provider', { name: provider.name })}
            </ButtonLink>
            <p className="font-medium">{t('signIn.or')}</p>
          </>
        )}
        <p>{t('signIn.text')}</p>
        <Command>searchqa login</Command>
        <p>{t('signIn.docker')}</p>
        <Command>docker compose exec api searchqa login</Command>
        <Button variant={provider?.name ? 'outline' : 'primary'} onClick={() => void goOn()}>
          {t('signIn.retry')}
        </Button>
      </Card>
    </>
  )
}

function Command({ children }: { children: string }) {
  return <code className="bg-muted rounded-md px-3 py-2 font-mono text-sm">{children}</code>
}

const ICONS = { system: Monitor, light: Sun, dark: Moon }

/** An icon, for want of room on phones, with the browser's own list of choices over it. */
function ThemeSwitch() {
  const { t } = useTranslation()
  const theme = useTheme()
  const Icon = ICONS[theme]
  return (
    <div className="hover:bg-muted has-focus-visible:outline-ring relative grid size-10 shrink-0 place-items-center rounded-md outline-offset-2 has-focus-visible:outline-2">
      <Icon aria-hidden className="size-4" />
      <select
        aria-label={t('theme.label')}
        title={t('theme.label')}
        className="absolute inset-0 cursor-pointer opacity-0"
        value={theme}
        onChange={({ target }) =>
          changeTheme(THEMES.find((each) => each === target.value) ?? 'system')
        }
      >
        {THEMES.map((each) => (
          <option key={each} value={each} className="bg-card text-foreground">
            {t(`theme.${each}`)}
          </option>
        ))}
      </select>
    </div>
  )
}
