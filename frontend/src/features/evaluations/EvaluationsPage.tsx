import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/page'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui'
import { useUrlFilters } from '@/hooks/useUrlFilters'

import { EvaluationList } from './EvaluationList'
import { ReviewQueue } from './ReviewQueue'

export function EvaluationsPage() {
  const { t } = useTranslation('evaluations')
  const { params, setFilters } = useUrlFilters()
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <Tabs
        value={params.get('tab') === 'review' ? 'review' : 'list'}
        onValueChange={(tab) => setFilters({ tab: tab === 'review' ? tab : undefined })}
      >
        <TabsList aria-label={t('tabs.label')}>
          <TabsTrigger value="list">{t('tabs.list')}</TabsTrigger>
          <TabsTrigger value="review">{t('tabs.review')}</TabsTrigger>
        </TabsList>
        <TabsContent value="list">
          <EvaluationList />
        </TabsContent>
        <TabsContent value="review">
          <ReviewQueue />
        </TabsContent>
      </Tabs>
    </>
  )
}
