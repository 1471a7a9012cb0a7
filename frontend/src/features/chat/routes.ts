import type { RouteObject } from 'react-router'

export const chatRoutes: RouteObject[] = [
  {
    index: true,
    lazy: async () => ({ Component: (await import('./WorkbenchPage')).WorkbenchPage }),
  },
]
