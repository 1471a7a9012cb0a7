import type { RouteObject } from 'react-router'

import { page } from '@/lib/page'

export const qualityRoutes: RouteObject[] = [
  { path: 'quality', lazy: page(() => import('./QualityPage'), 'QualityPage') },
  { path: 'failures', lazy: page(() => import('./FailuresPage'), 'FailuresPage') },
  { path: 'failures/:id', lazy: page(() => import('./FailurePage'), 'FailurePage') },
  { path: 'releases', lazy: page(() => import('./ReleasesPage'), 'ReleasesPage') },
]
