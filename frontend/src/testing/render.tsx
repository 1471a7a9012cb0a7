import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider, type RouteObject } from 'react-router'

import { routes } from '@/app/routes'

function open(shown: RouteObject[], path: string) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const router = createMemoryRouter(shown, { initialEntries: [path] })
  const view = render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { ...view, router, queries, user: userEvent.setup() }
}

/** The whole app at a path below `/ui`: `renderApp('/notes')`. Failed queries are not retried. */
export function renderApp(path: string) {
  return open(routes, path)
}

/** One component with what surrounds it in the app, but the shell. */
export function renderInApp(element: ReactNode) {
  return open([{ path: '*', element }], '/')
}
