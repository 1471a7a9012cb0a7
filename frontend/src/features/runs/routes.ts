import type { RouteObject } from 'react-router'

import { page } from '@/lib/page'

export const runsRoutes: RouteObject[] = [
  { path: 'datasets', lazy: page(() => import('./datasets/DatasetsPage'), 'DatasetsPage') },
  { path: 'datasets/:id', lazy: page(() => import('./datasets/DatasetPage'), 'DatasetPage') },
  { path: 'benches', lazy: page(() => import('./benches/BenchesPage'), 'BenchesPage') },
  { path: 'benches/:id', lazy: page(() => import('./benches/BenchPage'), 'BenchPage') },
  { path: 'runs', lazy: page(() => import('./list/RunsPage'), 'RunsPage') },
  { path: 'runs/compare', lazy: page(() => import('./compare/ComparePage'), 'ComparePage') },
  { path: 'runs/:id', lazy: page(() => import('./run/RunPage'), 'RunPage') },
]
