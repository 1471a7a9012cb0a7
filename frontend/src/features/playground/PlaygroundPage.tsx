import { useTranslation } from 'react-i18next'

import { EmptyState, ErrorState, PageHeader } from '@/components/page'
import {
  Card,
  CardTitle,
  Spinner,
  Tabs,
  TabsContent,
  TabsList,
  TabsTrigger,
  TextLink,
} from '@/components/ui'
import { useUrlFilters } from '@/hooks/useUrlFilters'
import { moment } from '@/lib/figures'

import { useLatest } from './api/trials'
import { TryAnswer } from './try/TryAnswer'
import { Versions } from './versions/Versions'

/** Where a judge's prompt is written and tried on a stored answer, and its versions are kept. */
export function PlaygroundPage() {
  const { t } = useTranslation('playground')
  const { params, setFilters } = useUrlFilters()
  const evaluation = params.get('evaluation')
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <Tabs
        value={params.get('tab') === 'versions' ? 'versions' : 'try'}
        onValueChange={(tab) => setFilters({ tab: tab === 'versions' ? tab : undefined })}
      >
        <TabsList aria-label={t('tabs.label')}>
          <TabsTrigger value="try">{t('tabs.try')}</TabsTrigger>
          <TabsTrigger value="versions">{t('tabs.versions')}</TabsTrigger>
        </TabsList>
        <TabsContent value="try">
          {evaluation ? <TryAnswer key={evaluation} id={evaluation} /> : <ChooseAnswer />}
        </TabsContent>
        <TabsContent value="versions">
          <Versions />
        </TabsContent>
      </Tabs>
    </>
  )
}

/** The latest answers, of which one is tried. */
function ChooseAnswer() {
  const { t } = useTranslation('playground')
  const { data: latest, error, refetch } = useLatest()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!latest) return <Spinner />
  if (latest.length === 0) {
    return (
      <EmptyState title={t('choose.none')} text={t('choose.noneText')}>
        <TextLink plain to="/">
          {t('choose.ask')}
        </TextLink>
      </EmptyState>
    )
  }
  return (
    <Card className="min-w-0">
      <CardTitle>{t('choose.title')}</CardTitle>
      <p className="text-muted-foreground mb-3 text-sm">{t('choose.text')}</p>
      <ul className="divide-border divide-y">
        {latest.map(({ id, question, created_at }) => (
          <li key={id} className="grid gap-1 py-2">
            <TextLink to={`?evaluation=${id}`} className="line-clamp-2 break-words">
              {question}
            </TextLink>
            <span className="text-muted-foreground text-xs whitespace-nowrap">
              {moment(created_at)}
            </span>
          </li>
        ))}
      </ul>
      <TextLink plain to="/evaluations" className="mt-3 inline-block text-sm">
        {t('choose.all')}
      </TextLink>
    </Card>
  )
}
