import type { RouteObject } from 'react-router'

import { Spinner } from '@/components/ui'
import { chatRoutes } from '@/features/chat/routes'
import { evaluationsRoutes } from '@/features/evaluations/routes'
import { notesRoutes } from '@/features/notes/routes'
import { playgroundRoutes } from '@/features/playground/routes'
import { qualityRoutes } from '@/features/quality/routes'
import { runsRoutes } from '@/features/runs/routes'
import { settingsRoutes } from '@/features/settings/routes'
import { systemRoutes } from '@/features/system/routes'

import { BrokenPage, NotFoundPage } from './NotFoundPage'
import { Shell } from './Shell'
import { loadStrings } from './i18n'

/** By the folder of the feature, which is the namespace of its strings. */
const FEATURES = {
  chat: chatRoutes,
  notes: notesRoutes,
  quality: qualityRoutes,
  evaluations: evaluationsRoutes,
  runs: runsRoutes,
  playground: playgroundRoutes,
  settings: settingsRoutes,
  system: systemRoutes,
}

/** Below `/ui`. Each feature names its own pages; their code and strings are loaded when they are
 * opened. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    children: [
      {
        errorElement: <BrokenPage />,
        hydrateFallbackElement: <Spinner />,
        children: [
          ...Object.entries(FEATURES).flatMap(([feature, pages]) =>
            pages.map((page) => withStrings(feature as keyof typeof FEATURES, page)),
          ),
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
]

function withStrings(feature: keyof typeof FEATURES, page: RouteObject): RouteObject {
  const { lazy } = page
  if (typeof lazy !== 'function') return page
  return {
    ...page,
    lazy: async () => {
      const [code] = await Promise.all([lazy(), loadStrings(feature)])
      return code
    },
  }
}
