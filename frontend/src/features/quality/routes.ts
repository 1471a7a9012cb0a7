import type { RouteObject } from 'react-router'

export const qualityRoutes: RouteObject[] = [
  {
    path: 'quality',
    lazy: async () => ({ Component: (await import('./QualityPage')).QualityPage }),
  },
]
