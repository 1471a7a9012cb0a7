import type { RouteObject } from 'react-router'

import { page } from '@/lib/page'

export const settingsRoutes: RouteObject[] = [
  { path: 'settings', lazy: page(() => import('./SettingsPage'), 'SettingsPage') },
]
