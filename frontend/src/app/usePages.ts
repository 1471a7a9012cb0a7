import { useWho } from '@/hooks/workspace'

import { PAGES } from './pages'

/** The pages of the menu that this reader may open. */
export function usePages() {
  const { data: who } = useWho()
  return PAGES.filter((page) => !('scope' in page) || who?.scopes.includes(page.scope))
}
