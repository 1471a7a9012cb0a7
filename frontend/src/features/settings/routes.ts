import type { RouteObject } from 'react-router'

import { page } from '@/lib/page'

export const settingsRoutes: RouteObject[] = [
  { path: 'audit', lazy: page(() => import('./audit/AuditPage'), 'AuditPage') },
  { path: 'connect', lazy: page(() => import('./connect/ConnectPage'), 'ConnectPage') },
  { path: 'settings', lazy: page(() => import('./SettingsPage'), 'SettingsPage') },
]
