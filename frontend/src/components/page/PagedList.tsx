import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, Spinner } from '@/components/ui'

import { ErrorState } from './ErrorState'

interface NextPage {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

/** The next page of a list, below the ones that are shown. */
export function MoreButton({ list }: { list: NextPage }) {
  const { t } = useTranslation()
  if (!list.hasNextPage) return null
  return (
    <div className="mt-3 text-center">
      <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {list.isFetchingNextPage ? t('loading') : t('more')}
      </Button>
    </div>
  )
}

interface Paged<T> extends NextPage {
  data: { pages: { items: T[] }[] } | undefined
  error: unknown
  isPending: boolean
  refetch: () => unknown
}

interface Props<T> {
  list: Paged<T>
  /** Shown in place of the items where there are none. */
  empty: ReactNode
  children: (items: T[]) => ReactNode
}

/** The items of the pages read so far, or why there are none. */
export function PagedList<T>({ list, empty, children }: Props<T>) {
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      {list.isPending && <Spinner />}
      {Boolean(list.error) && <ErrorState error={list.error} onRetry={list.refetch} />}
      {list.data && items.length === 0 && empty}
      {items.length > 0 && children(items)}
      <MoreButton list={list} />
    </>
  )
}
