import type { RouteObject } from 'react-router'

import { page } from '@/lib/page'

const workbench: Pick<RouteObject, 'lazy'> = {
  lazy: page(() => import('./WorkbenchPage'), 'WorkbenchPage'),
}

/** A conversation gets its address with its first question. */
export const chatRoutes: RouteObject[] = [
  { index: true, ...workbench },
  { path: 'c/:conversation', ...workbench },
]
