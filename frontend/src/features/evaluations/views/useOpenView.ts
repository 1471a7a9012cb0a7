import { useEffect, useState } from 'react'

import type { useUrlFilters } from '@/hooks/useUrlFilters'

import { useViews } from '../api/views'

import { addressOf, isLink, openedAs } from './savedView'

type SetFilters = ReturnType<typeof useUrlFilters>['setFilters']

/** The view that the address names. Its link has nothing else; the address then gets what the view
 * shows, once, so that what is changed afterwards stays changed. */
export function useOpenView(params: URLSearchParams, setFilters: SetFilters) {
  const views = useViews()
  const id = params.get('view')
  const view = views.data?.find((each) => each.id === id)
  const [openedId, setOpenedId] = useState<string>()
  const follows = id !== null && isLink(params)
  const toOpen = view && follows && openedId !== id && !isLink(addressOf(view)) ? view : undefined
  if (view && !toOpen && openedId !== view.id) setOpenedId(view.id)
  useEffect(() => {
    if (toOpen) setFilters(openedAs(toOpen).changes, { replace: true })
  }, [toOpen, setFilters])
  return {
    views,
    view,
    isGone: id !== null && views.isSuccess && !view,
    // Until then the address does not say what to show.
    isOpening: (follows && views.isPending) || toOpen !== undefined,
  }
}
