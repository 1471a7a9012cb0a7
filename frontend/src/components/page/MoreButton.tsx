import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'

interface Props {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** The next page of a list, below the ones that are shown. */
export function MoreButton({ list }: Props) {
  const { t } = useTranslation()
  if (!list.hasNextPage) return null
  return (
    <div className="mt-3 text-center">
      <Button
        variant="outline"
        disabled={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {list.isFetchingNextPage ? t('loading') : t('more')}
      </Button>
    </div>
  )
}
