import {
  Activity,
  BarChart3,
  ClipboardCheck,
  Database,
  FlaskConical,
  Gavel,
  GitCompareArrows,
  MessageSquareText,
  NotebookText,
  Repeat,
  Settings,
  Tags,
  TestTubeDiagonal,
} from 'lucide-react'

import { useWho } from '@/hooks/workspace'

/** `scope`: what it takes to open a page that is not for everybody. */
const PAGES = [
  { to: '/', text: 'workbench', Icon: MessageSquareText },
  { to: '/notes', text: 'notes', Icon: NotebookText },
  { to: '/quality', text: 'quality', Icon: BarChart3 },
  { to: '/releases', text: 'releases', Icon: GitCompareArrows },
  { to: '/failures', text: 'failures', Icon: Repeat },
  { to: '/evaluations', text: 'evaluations', Icon: ClipboardCheck },
  { to: '/label', text: 'labelling', Icon: Tags },
  { to: '/datasets', text: 'datasets', Icon: Database },
  { to: '/runs', text: 'runs', Icon: FlaskConical },
  { to: '/benches', text: 'benches', Icon: Gavel },
  { to: '/playground', text: 'playground', Icon: TestTubeDiagonal },
  { to: '/settings', text: 'settings', Icon: Settings },
  { to: '/system', text: 'system', Icon: Activity, scope: 'operator' },
] as const

/** The pages of the menu that this reader may open. */
export function usePages() {
  const { data: who } = useWho()
  return PAGES.filter((page) => !('scope' in page) || who?.scopes.includes(page.scope))
}
