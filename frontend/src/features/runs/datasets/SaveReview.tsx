import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { ErrorState } from '@/components/page'
import { Button } from '@/components/ui'
import { cn } from '@/lib/cn'
import { toast } from '@/lib/toast'

import { useReview } from '../api/datasets'

import { reviewOf, tally, type Decisions } from './decisions'

interface Props {
  datasetId: string
  decisions: Decisions
  /** Whether the browser has them until they are saved. */
  kept: boolean
  cases: number
}

export function SaveReview({ datasetId, decisions, kept, cases }: Props) {
  const { t } = useTranslation('runs')
  const navigate = useNavigate()
  const review = useReview(datasetId)
  const counts = tally(decisions, cases)
  const nothingLeft = counts.rejected === cases
  const save = () =>
    review.mutate(reviewOf(decisions), {
      onSuccess: ({ id, version }) => {
        toast(t('review.saved', { version }), 'success')
        void navigate(`/datasets/${id}`)
      },
    })
  return (
    <div className="mt-4 grid gap-3">
      {review.error && <ErrorState error={review.error} />}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm">
          {t('review.tally', counts)}
          {decisions.size > 0 && (
            <span className={cn('block', !kept && 'text-danger')}>
              {t(kept ? 'review.kept' : 'review.notKept', { count: decisions.size })}
            </span>
          )}
          {counts.open > 0 && (
            <span className="text-muted-foreground block">{t('review.openTaken')}</span>
          )}
          {nothingLeft && <span className="text-danger block">{t('review.allRejected')}</span>}
        </p>
        <Button disabled={review.isPending || nothingLeft} onClick={save}>
          {t('review.save')}
        </Button>
      </div>
    </div>
  )
}
