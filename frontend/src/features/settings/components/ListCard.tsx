import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { EmptyState, ErrorState } from '@/components/page'
import { Card, CardTitle, Spinner } from '@/components/ui'

interface Props<Item> {
  /** Its strings; links may lead to `…-title`. */
  of: 'criteria' | 'webhooks' | 'tokens' | 'sessions'
  list: { data: { items: Item[] } | undefined; error: unknown; refetch: () => unknown }
  /** Buttons beside the heading, once the list is there. */
  actions?: ReactNode
  children: (items: Item[]) => ReactNode
}

/** A card with what the workspace has of one kind. */
export function ListCard<Item>({ of, list, actions, children }: Props<Item>) {
  const { t } = useTranslation('settings')
  const { data, error, refetch } = list
  return (
    <Card aria-labelledby={`${of}-title`}>
      <div className="flex flex-wrap items-start justify-between gap-2">
        <CardTitle id={`${of}-title`} className="scroll-mt-20">
          {t(`${of}.title`)}
        </CardTitle>
        {data && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      <p className="text-muted-foreground mb-2 text-sm">{t(`${of}.lead`)}</p>
      {!data && (error ? <ErrorState error={error} onRetry={refetch} /> : <Spinner />)}
      {data?.items.length === 0 && <EmptyState title={t(`${of}.none`)} />}
      {data && children(data.items)}
    </Card>
  )
}
