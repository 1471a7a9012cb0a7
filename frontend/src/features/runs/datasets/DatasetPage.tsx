import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'

import { ErrorState, PageHeader } from '@/components/page'
import { Spinner, Tabs, TabsContent, TabsList, TabsTrigger, TextLink } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { useDataset } from '../api/datasets'
import { StartRun } from '../start/StartRun'

import { CaseList } from './CaseList'
import { CaseReview } from './CaseReview'
import { ExportLinks, ReviewState } from './ExportLinks'

export function DatasetPage() {
  const { t } = useTranslation('runs')
  const { id = '' } = useParams()
  const { data: dataset, error, refetch } = useDataset(id)
  const title = dataset
    ? t('datasets.versionOf', { name: dataset.name, version: dataset.version })
    : t('dataset.title')
  return (
    <>
      <PageHeader title={title}>
        <TextLink to={`/runs?dataset=${id}`}>{t('dataset.runs')}</TextLink>
      </PageHeader>
      {error && <ErrorState error={error} onRetry={() => refetch()} />}
      {!dataset && !error && <Spinner />}
      {/* Another version is another page: nothing of the review before stays. */}
      {dataset && <Dataset key={dataset.id} dataset={dataset} />}
    </>
  )
}

function Dataset({ dataset }: { dataset: Schema<'DatasetDetail'> }) {
  const { t } = useTranslation('runs')
  const proposed = dataset.review === 'proposed'
  const made = dataset.origin.kind === 'answers'
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3 text-sm">
        <ReviewState dataset={dataset} />
        <span>{t('dataset.questions', { count: dataset.cases })}</span>
        <ExportLinks dataset={dataset} />
      </div>
      <Tabs defaultValue={proposed ? 'review' : made ? 'cases' : 'run'}>
        <TabsList aria-label={t('dataset.title')}>
          {proposed && <TabsTrigger value="review">{t('dataset.tabReview')}</TabsTrigger>}
          <TabsTrigger value="run">{t('dataset.tabRun')}</TabsTrigger>
          <TabsTrigger value="cases">{t('dataset.cases')}</TabsTrigger>
        </TabsList>
        {proposed && (
          <TabsContent value="review">
            <CaseReview dataset={dataset} />
          </TabsContent>
        )}
        <TabsContent value="run">
          <StartRun datasetId={dataset.id} {...(made && { type: 'full_rag' })} />
        </TabsContent>
        <TabsContent value="cases">
          <CaseList cases={dataset.test_cases} />
        </TabsContent>
      </Tabs>
    </>
  )
}
