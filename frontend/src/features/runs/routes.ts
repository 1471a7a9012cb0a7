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
    path: 'benches',
    lazy: async () => ({ Component: (await import('./benches/BenchesPage')).BenchesPage }),
  },
  {
    path: 'benches/:id',
    lazy: async () => ({ Component: (await import('./benches/BenchPage')).BenchPage }),
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
