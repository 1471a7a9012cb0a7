import type { RouteObject } from 'react-router'

export const runsRoutes: RouteObject[] = [
  {
    path: 'datasets',
    lazy: async () => ({ Component: (await import('./DatasetsPage')).DatasetsPage }),
  },
  {
    path: 'runs',
    lazy: async () => ({ Component: (await import('./RunsPage')).RunsPage }),
  },
  {
    path: 'runs/:id',
    lazy: async () => ({ Component: (await import('./RunPage')).RunPage }),
  },
]
