import type { RouteObject } from 'react-router'

import { page } from '@/lib/page'

export const notesRoutes: RouteObject[] = [
  { path: 'notes', lazy: page(() => import('./NotesPage'), 'NotesPage') },
  { path: 'notes/:id', lazy: page(() => import('./NotePage'), 'NotePage') },
]
