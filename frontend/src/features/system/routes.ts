import type { RouteObject } from 'react-router'

import { page } from '@/lib/page'

export const systemRoutes: RouteObject[] = [
  { path: 'system', lazy: page(() => import('./SystemPage'), 'SystemPage') },
]
