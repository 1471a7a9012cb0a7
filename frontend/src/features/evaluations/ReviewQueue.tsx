import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { EmptyState, ErrorState, MoreButton } from '@/components/page'
import { Button, Card, Spinner } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { AgreementCard } from './AgreementCard'
import { PeopleCard } from './PeopleCard'
import { RowStatus } from './RowStatus'
import { SampleCard } from './SampleCard'
import { useReviewQueue } from './api/review'
import { percent } from './scores'

/** The verdicts that people should look at first, and how far people and judge agree. */
export function ReviewQueue() {
  const { t, i18n } = useTranslation('evaluations')
  const queue = useReviewQueue(i18n.language)
  const items = queue.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <div className="grid gap-4">
      <AgreementCard />
      <PeopleCard />
      <SampleCard />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted-foreground text-sm">{t('review.lead')}</p>
        {items.length > 0 && (
          <Button asChild variant="outline">
            <Link to="/label?source=doubtful">{t('review.start')}</Link>
          </Button>
        )}
      </div>
      {queue.isPending && <Spinner />}
      {queue.isError && <ErrorState error={queue.error} onRetry={queue.refetch} />}
      {queue.data && items.length === 0 && (
        <EmptyState title={t('review.empty')} text={t('review.emptyText')} />
      )}
      <ol className="grid gap-3">
        {items.map((item) => (
          <li key={item.evaluation.id}>
            <ReviewItem item={item} />
          </li>
        ))}
      </ol>
      <MoreButton list={queue} />
    </div>
  )
}

function ReviewItem({ item: { evaluation, reasons } }: { item: Schema<'ReviewItem'> }) {
  const { t, i18n } = useTranslation('ai')
  const score = (value: number | null) => percent(value, i18n.language)
  return (
    <Card className="grid gap-2">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <Link
          to={`/evaluations/${evaluation.id}`}
          className="line-clamp-3 font-medium underline underline-offset-2"
          lang={evaluation.lang}
        >
          {evaluation.question}
        </Link>
        <RowStatus row={evaluation} />
      </div>
      <p className="text-muted-foreground line-clamp-2 text-sm" lang={evaluation.lang}>
        {evaluation.answer_snippet}
      </p>
      <ul className="list-disc pl-5 text-sm">
        {reasons.map(({ reason, text }) => (
          <li key={reason}>{text}</li>
        ))}
      </ul>
      <p className="text-muted-foreground text-sm">
        {t('qaCorrectness')} {score(evaluation.correctness)} · {t('qaUtility')}{' '}
        {score(evaluation.utility)}
      </p>
    </Card>
  )
}
