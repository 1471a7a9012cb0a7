import type { RouteObject } from 'react-router'

export const runsRoutes: RouteObject[] = [
  {
    path: 'datasets',
    lazy: async () => ({ Component: (await import('./datasets/DatasetsPage')).DatasetsPage }),
  },
  {
    path: 'datasets/:id',
    lazy: async () => ({ Component: (await import('./datasets/DatasetPage')).DatasetPage }),
  },
  {
    path: 'runs',
    lazy: async () => ({ Component: (await import('./list/RunsPage')).RunsPage }),
  },
  {
    path: 'runs/compare',
    lazy: async () => ({ Component: (await import('./compare/ComparePage')).ComparePage }),
  },
  {
    path: 'runs/:id',
    lazy: async () => ({ Component: (await import('./run/RunPage')).RunPage }),
  },
]
