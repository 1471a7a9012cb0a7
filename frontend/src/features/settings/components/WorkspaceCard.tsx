import { useTranslation } from 'react-i18next'

import { LanguageSwitch } from '@/components/LanguageSwitch'
import { ErrorState } from '@/components/page'
import { Badge, Card, CardTitle, Spinner } from '@/components/ui'
import { useWho } from '@/hooks/workspace'

/** Where the reader is, what they may do there, and in which language the pages speak. */
export function WorkspaceCard() {
  const { t } = useTranslation('settings')
  const { data: who, error, refetch } = useWho()
  return (
    <Card aria-labelledby="workspace-title">
      <CardTitle id="workspace-title">{t('who.title')}</CardTitle>
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[auto_1fr] sm:items-center">
        {who && (
          <>
            <dt className="text-muted-foreground">{t('who.workspace')}</dt>
            <dd className="font-medium">{who.workspace}</dd>
            <dt className="text-muted-foreground">{t('who.token')}</dt>
            <dd>{who.token}</dd>
            <dt className="text-muted-foreground">{t('scopes.label')}</dt>
            <dd className="flex flex-wrap gap-1">
              {who.scopes.map((scope) => (
                <Badge key={scope}>{t(`scopes.${scope}`)}</Badge>
              ))}
            </dd>
          </>
        )}
        <dt className="text-muted-foreground">{t('who.language')}</dt>
        <dd>
          <LanguageSwitch />
        </dd>
      </dl>
      {!who && (error ? <ErrorState error={error} onRetry={refetch} /> : <Spinner />)}
    </Card>
  )
}
