import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { EmptyState, ErrorState, PageHeader } from '@/components/page'
import { Button, Spinner } from '@/components/ui'

import { useDatasets } from '../api/datasets'

import { DatasetTable } from './DatasetTable'
import { GenerateDialog } from './GenerateDialog'
import { GenerationProgress } from './GenerationProgress'
import { ImportDialog } from './ImportDialog'

export function DatasetsPage() {
  const { t } = useTranslation(['runs', 'common'])
  const datasets = useDatasets()
  const [jobs, setJobs] = useState<readonly string[]>([])
  const found = datasets.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <PageHeader title={t('datasets.title')} lead={t('datasets.lead')}>
        <div className="flex gap-2">
          <GenerateDialog onStarted={(job) => setJobs([...jobs, job])} />
          <ImportDialog />
        </div>
      </PageHeader>
      <div className="grid grid-cols-1 gap-4">
        {jobs.map((job) => (
          <GenerationProgress key={job} id={job} />
        ))}
        {datasets.isPending && <Spinner />}
        {datasets.error && <ErrorState error={datasets.error} onRetry={() => datasets.refetch()} />}
        {datasets.data && found.length === 0 && (
          <EmptyState title={t('datasets.empty')} text={t('datasets.emptyText')} />
        )}
        {found.length > 0 && <DatasetTable datasets={found} />}
        {datasets.hasNextPage && (
          <Button
            variant="outline"
            className="justify-self-center"
            disabled={datasets.isFetchingNextPage}
            onClick={() => void datasets.fetchNextPage()}
          >
            {t('common:more')}
          </Button>
        )}
      </div>
    </>
  )
}
