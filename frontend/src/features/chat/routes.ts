import type { RouteObject } from 'react-router'

const workbench: Pick<RouteObject, 'lazy'> = {
  lazy: async () => ({ Component: (await import('./WorkbenchPage')).WorkbenchPage }),
}

/** A conversation gets its address with its first question. */
export const chatRoutes: RouteObject[] = [
  { index: true, ...workbench },
  { path: 'c/:conversation', ...workbench },
]
