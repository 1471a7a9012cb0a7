import type { RouteObject } from 'react-router'

import { page } from '@/lib/page'

export const evaluationsRoutes: RouteObject[] = [
  { path: 'evaluations', lazy: page(() => import('./EvaluationsPage'), 'EvaluationsPage') },
  { path: 'evaluations/:id', lazy: page(() => import('./EvaluationPage'), 'EvaluationPage') },
  { path: 'label', lazy: page(() => import('./label/LabelPage'), 'LabelPage') },
]
