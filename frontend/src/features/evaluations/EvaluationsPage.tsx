import { useTranslation } from 'react-i18next'

import {
  type Column,
  DataTable,
  EmptyState,
  ErrorState,
  PagedList,
  PageHeader,
} from '@/components/page'
import {
  Button,
  ButtonLink,
  Card,
  Spinner,
  Tabs,
  TabsContent,
  TabsList,
  TabsTrigger,
  TextLink,
} from '@/components/ui'
import { useUrlFilters } from '@/hooks/useUrlFilters'
import type { Schema } from '@/lib/api'
import { percent, twoDecimals } from '@/lib/figures'

import { EvaluationList } from './EvaluationList'
import { PeopleCard } from './PeopleCard'
import { RowStatus } from './RowStatus'
import { useAgreement, useDraw, useReviewQueue, useSampled } from './api/review'
import { scoresOf } from './scores'
import { ViewsBar } from './views/ViewsBar'
import { useOpenView } from './views/useOpenView'

export function EvaluationsPage() {
  const { t } = useTranslation('evaluations')
  const { params, setFilters } = useUrlFilters()
  const opened = useOpenView(params, setFilters)
  const tab = params.get('tab') === 'review' ? 'review' : 'list'
  return (
    <Tabs
      value={tab}
      onValueChange={(next) => setFilters({ tab: next === 'review' ? next : undefined })}
      // A list shows many rows: little stands above them.
      className="md:-mt-6"
    >
      <PageHeader title={t('title')} className="mb-1 items-center *:first:mr-0">
        <TabsList aria-label={t('tabs.label')} className="mr-auto mb-0 border-0">
          <TabsTrigger value="list">{t('tabs.list')}</TabsTrigger>
          <TabsTrigger value="review">{t('tabs.review')}</TabsTrigger>
        </TabsList>
        {tab === 'list' && <ViewsBar {...{ params, setFilters, opened }} />}
      </PageHeader>
      <TabsContent value="list">
        {opened.isOpening ? <Spinner /> : <EvaluationList {...{ params, setFilters }} />}
      </TabsContent>
      <TabsContent value="review">
        <ReviewQueue />
      </TabsContent>
    </Tabs>
  )
}

/** The verdicts that people should look at first, and how far people and judge agree. */
function ReviewQueue() {
  const { t, i18n } = useTranslation('evaluations')
  const queue = useReviewQueue(i18n.language)
  return (
    <div className="grid gap-4">
      <AgreementCard />
      <PeopleCard />
      <SampleCard />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted-foreground text-sm">{t('review.lead')}</p>
        {queue.data?.pages[0]?.items[0] && (
          <ButtonLink to="/label?source=doubtful">{t('review.start')}</ButtonLink>
        )}
      </div>
      <PagedList
        list={queue}
        empty={<EmptyState title={t('review.empty')} text={t('review.emptyText')} />}
      >
        {(found) => (
          <ol className="grid gap-3">
            {found.map((item) => (
              <li key={item.evaluation.id}>
                <ReviewItem item={item} />
              </li>
            ))}
          </ol>
        )}
      </PagedList>
    </div>
  )
}

function ReviewItem({ item: { evaluation, reasons } }: { item: Schema<'ReviewItem'> }) {
  const { t } = useTranslation('evaluations')
  return (
    <Card className="grid gap-2">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <TextLink
          plain
          to={`/evaluations/${evaluation.id}`}
          lang={evaluation.lang}
          className="line-clamp-3 font-medium"
        >
          {evaluation.question}
        </TextLink>
        <RowStatus row={evaluation} />
      </div>
      <p className="text-muted-foreground line-clamp-2 text-sm" lang={evaluation.lang}>
        {evaluation.answer_snippet}
      </p>
      <ul className="list-disc pl-5 text-sm">
        {reasons.map(({ reason, text }) => (
          <li key={reason} className="first-letter:uppercase">
            {reason === 'near_threshold' && evaluation.outcome === 'undecided'
              ? t('review.undecided')
              : text}
          </li>
        ))}
      </ul>
      <p className="text-muted-foreground text-sm empty:hidden">{scoresOf(evaluation)}</p>
    </Card>
  )
}

const SIZE = 200

/** How far the labelling of answers drawn at random has come. */
function SampleCard() {
  const { t } = useTranslation('evaluations')
  const { data: found, error, isPending, refetch } = useSampled()
  const draw = useDraw(SIZE)
  return (
    <Card title={t('sample.title')}>
      <p className="text-muted-foreground mb-2 text-sm">{t('sample.lead')}</p>
      {isPending && <Spinner />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {found && <Sampled found={found} />}
      {draw.error && <ErrorState error={draw.error} />}
      {found?.queue.length === 0 && (
        <Button className="mt-2" disabled={draw.isPending} onClick={() => draw.mutate()}>
          {t('sample.draw', { size: SIZE })}
        </Button>
      )}
    </Card>
  )
}

function Sampled({ found }: { found: Schema<'DrawnQueue'> }) {
  const { t } = useTranslation('evaluations')
  const { queue, drawn, labelled } = found
  if (drawn === 0) return <p className="text-sm">{t('sample.none')}</p>
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="text-sm">
        {queue.length > 0 ? t('sample.progress', { drawn, labelled }) : t('sample.done')}
      </p>
      {queue.length > 0 && <ButtonLink to="/label">{t('sample.start')}</ButtonLink>}
    </div>
  )
}

const LABELS = ['wrong', 'partly', 'right'] as const

/** Whether the judge can be trusted: how far it agrees with people. */
function AgreementCard() {
  const { t } = useTranslation('evaluations')
  const { data: found, error, isPending, refetch } = useAgreement()
  return (
    <Card title={t('agreement.title')}>
      {isPending && <Spinner />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {found && (
        <div className="grid gap-6 md:grid-cols-2">
          <Part title={t('agreement.answers')} part={found.of_answers} />
          <Part title={t('agreement.claims')} part={found.of_claims} />
        </div>
      )}
    </Card>
  )
}

function Part({ title, part }: { title: string; part: Schema<'Agreement'> }) {
  const { t } = useTranslation('evaluations')
  const { kappa, low, high, pairs, answers, exact } = part
  return (
    <section className="grid content-start gap-1 text-sm">
      <h3 className="font-semibold">{title}</h3>
      {kappa === null ? (
        <p className="text-muted-foreground">{t('agreement.unknown', { answers })}</p>
      ) : (
        <p className="text-xl font-semibold tabular-nums">
          κ {twoDecimals(kappa)}{' '}
          {low !== null && high !== null && (
            <span className="text-muted-foreground text-sm font-normal">
              {t('agreement.interval', { low: twoDecimals(low), high: twoDecimals(high) })}
            </span>
          )}
        </p>
      )}
      {pairs > 0 && (
        <>
          <p className="text-muted-foreground">
            {t('agreement.pairs', { pairs, answers, exact: percent(exact) })}
          </p>
          <Confusion title={title} counts={part.confusion} />
        </>
      )}
    </section>
  )
}

function Confusion({ title, counts }: { title: string; counts: number[][] }) {
  const { t } = useTranslation('evaluations')
  const rows = LABELS.map((label, at) => ({ label, counts: counts[at] ?? [] }))
  return (
    <DataTable
      caption={t('agreement.confusion', { title })}
      rows={rows}
      rowKey={({ label }) => label}
      columns={[
        [t('agreement.judge'), (row) => t(`labels.${row.label}`)],
        ...LABELS.map((label, at): Column<(typeof rows)[number]> => [
          t('agreement.human', { label: t(`labels.${label}`) }),
          (row) => row.counts[at] ?? 0,
          'numeric',
        ]),
      ]}
    />
  )
}
