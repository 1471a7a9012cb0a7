import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/page'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui'
import { useUrlFilters } from '@/hooks/useUrlFilters'

import { ChooseAnswer } from './try/ChooseAnswer'
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
