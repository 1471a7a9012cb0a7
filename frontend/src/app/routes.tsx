import type { RouteObject } from 'react-router'

import { Spinner } from '@/components/ui/spinner'
import { chatRoutes } from '@/features/chat/routes'
import { evaluationsRoutes } from '@/features/evaluations/routes'
import { notesRoutes } from '@/features/notes/routes'
import { qualityRoutes } from '@/features/quality/routes'
import { runsRoutes } from '@/features/runs/routes'
import { settingsRoutes } from '@/features/settings/routes'

import { BrokenPage } from './BrokenPage'
import { NotFoundPage } from './NotFoundPage'
import { Shell } from './Shell'

/** Below `/ui`. Each feature names its own pages; their code is loaded when they are opened. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    children: [
      {
        errorElement: <BrokenPage />,
        hydrateFallbackElement: <Spinner />,
        children: [
          ...chatRoutes,
          ...notesRoutes,
          ...qualityRoutes,
          ...evaluationsRoutes,
          ...runsRoutes,
          ...settingsRoutes,
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
]
