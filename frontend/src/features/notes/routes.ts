import type { RouteObject } from 'react-router'

export const notesRoutes: RouteObject[] = [
  {
    path: 'notes',
    lazy: async () => ({ Component: (await import('./NotesPage')).NotesPage }),
  },
  {
    path: 'notes/:id',
    lazy: async () => ({ Component: (await import('./NotePage')).NotePage }),
  },
]
