import type { RouteObject } from 'react-router'

export const evaluationsRoutes: RouteObject[] = [
  {
    path: 'evaluations',
    lazy: async () => ({ Component: (await import('./EvaluationsPage')).EvaluationsPage }),
  },
  {
    path: 'evaluations/:id',
    lazy: async () => ({ Component: (await import('./EvaluationPage')).EvaluationPage }),
  },
  {
    path: 'label',
    lazy: async () => ({ Component: (await import('./label/LabelPage')).LabelPage }),
  },
]
