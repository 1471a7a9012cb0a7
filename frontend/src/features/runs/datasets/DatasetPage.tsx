import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'

import { type Column, ErrorState, PageHeader, WideTable } from '@/components/page'
import {
  Button,
  Spinner,
  Tabs,
  TabsContent,
  TabsList,
  TabsTrigger,
  TextLink,
} from '@/components/ui'
import type { Schema } from '@/lib/api'

import { useDataset } from '../api/datasets'
import { count } from '../figures'
import { StartRun } from '../start/StartRun'

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
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3 text-sm">
        <ReviewState review={dataset.review} />
        <span>{t('dataset.questions', { count: dataset.cases })}</span>
        <ExportLinks dataset={dataset} />
      </div>
      <Tabs defaultValue={proposed ? 'review' : 'run'}>
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
          <StartRun datasetId={dataset.id} />
        </TabsContent>
        <TabsContent value="cases">
          <CaseList cases={dataset.test_cases} />
        </TabsContent>
      </Tabs>
    </>
  )
}

type Case = Schema<'CaseView'>

const PER_PAGE = 50

function CaseList({ cases }: { cases: readonly Case[] }) {
  const { t } = useTranslation('runs')
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(cases.length / PER_PAGE))
  const columns: Column<Case>[] = [
    { header: t('dataset.question'), cell: ({ question }) => question },
    { header: t('dataset.answer'), cell: ({ reference_answer }) => reference_answer ?? '–' },
    { header: t('dataset.language'), cell: ({ lang }) => lang },
    {
      header: t('dataset.passages'),
      cell: ({ ground_truth_chunk_ids }) => count(ground_truth_chunk_ids.length),
      numeric: true,
    },
  ]
  return (
    <>
      <WideTable
        caption={t('dataset.cases')}
        columns={columns}
        rows={cases.slice((page - 1) * PER_PAGE, page * PER_PAGE)}
        rowKey={({ id }) => id}
      />
      {pages > 1 && (
        <nav aria-label={t('dataset.cases')} className="mt-3 flex items-center gap-3 text-sm">
          <Button size="sm" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('dataset.previous')}
          </Button>
          <span role="status">{t('dataset.page', { page, pages })}</span>
          <Button size="sm" disabled={page === pages} onClick={() => setPage(page + 1)}>
            {t('dataset.next')}
          </Button>
        </nav>
      )}
    </>
  )
}
