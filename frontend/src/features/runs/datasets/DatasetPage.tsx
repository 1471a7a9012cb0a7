import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'

import { type Column, ErrorState, PageHeader, WideTable } from '@/components/page'
import {
  Badge,
  Button,
  Spinner,
  Tabs,
  TabsContent,
  TabsList,
  TabsTrigger,
  TextLink,
} from '@/components/ui'
import type { Schema } from '@/lib/api'
import { personName } from '@/lib/names'

import { useDataset } from '../api/datasets'
import { count, moment } from '../figures'
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

type Case = Schema<'CaseView'>

const PER_PAGE = 50

function CaseList({ cases }: { cases: readonly Case[] }) {
  const { t } = useTranslation('runs')
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(cases.length / PER_PAGE))
  const noted = cases.some(({ notes }) => notes.length > 0)
  const state: Column<Case> = [
    t('dataset.state'),
    ({ state: found }) => <StateOfCase state={found} />,
  ]
  const columns: Column<Case>[] = [
    [t('dataset.question'), (row) => <Question row={row} />],
    [
      t('dataset.answer'),
      ({ reference_answer: answer, expects_refusal: refusal }) =>
        refusal ? t('dataset.refusal') : (answer ?? '–'),
    ],
    ...(noted ? [state] : []),
    [t('dataset.language'), ({ lang }) => lang],
    [
      t('dataset.passages'),
      ({ ground_truth_chunk_ids }) => count(ground_truth_chunk_ids.length),
      'numeric',
    ],
  ]
  return (
    <>
      <WideTable
        caption={t('dataset.cases')}
        columns={columns}
        rows={cases.slice((page - 1) * PER_PAGE, page * PER_PAGE)}
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

/** The question with the notes that its case brings, and the answer that it is made from. */
function Question({ row: { question, lang, notes, source } }: { row: Case }) {
  const { t } = useTranslation('runs')
  return (
    <div className="grid min-w-52 gap-1">
      <span lang={lang}>{question}</span>
      {source && <Source source={source} />}
      {notes.length > 0 && (
        <details className="text-sm font-normal">
          <summary>{t('dataset.notes', { count: notes.length })}</summary>
          <ol className="mt-2 grid max-w-prose gap-2" lang={lang}>
            {notes.map(({ title, content, deleted }, at) => (
              <li key={at} className="bg-muted rounded-md p-3">
                <p className="font-medium">
                  {at + 1}. {title}{' '}
                  {deleted && <Badge variant="warning">{t('dataset.noteDeleted')}</Badge>}
                </p>
                <p className="whitespace-pre-wrap">{content}</p>
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  )
}

function Source({ source }: { source: Schema<'CaseSourceView'> }) {
  const { t } = useTranslation('runs')
  const { app_version: release, answered_at: answered, added_by: author, added_at: added } = source
  const from = [release, moment(answered)].filter(Boolean).join(' · ')
  return (
    <p className="text-muted-foreground text-xs font-normal">
      {source.deleted ? (
        t('dataset.answerDeleted', { from })
      ) : (
        <TextLink to={`/evaluations/${source.evaluation_id}`}>
          {t('dataset.fromAnswer', { from })}
        </TextLink>
      )}{' '}
      · {t('dataset.added', { author: personName(author), when: moment(added) })}
    </p>
  )
}

const LOOKS = { failing: 'danger', passing: 'success', mended: 'success' } as const

function StateOfCase({ state }: Pick<Case, 'state'>) {
  const { t } = useTranslation('runs')
  if (!state) return t('dataset.states.unknown')
  const badge = (
    <Badge variant={LOOKS[state.state]}>
      {t(`dataset.states.${state.state}`, { release: state.release })}
    </Badge>
  )
  return state.run_id === null ? badge : <TextLink to={`/runs/${state.run_id}`}>{badge}</TextLink>
}
