import type { RouteObject } from 'react-router'

export const playgroundRoutes: RouteObject[] = [
  {
    path: 'playground',
    lazy: async () => ({ Component: (await import('./PlaygroundPage')).PlaygroundPage }),
  },
]
