import type { RouteObject } from 'react-router'

import { page } from '@/lib/page'

export const playgroundRoutes: RouteObject[] = [
  { path: 'playground', lazy: page(() => import('./PlaygroundPage'), 'PlaygroundPage') },
]
