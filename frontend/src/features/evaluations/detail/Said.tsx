import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Badge, Button, Spinner } from '@/components/ui'
import { useFeedback, useDeleteFeedback, type Feedback } from '@/hooks/useFeedback'
import { errorMessage } from '@/lib/errorMessage'
import { toast } from '@/lib/toast'

import { moment } from '../scores'

const VARIANTS = { right: 'success', partly: 'warning', wrong: 'danger' } as const

/** What everybody said so far, to be taken back. */
export function Said({ id }: { id: string }) {
  const { t } = useTranslation('evaluations')
  const { t: common } = useTranslation()
  const { data: said, error, isPending, refetch } = useFeedback(id)
  const { mutate } = useDeleteFeedback(id)
  if (isPending) return <Spinner />
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (said.length === 0)
    return <p className="text-muted-foreground text-sm">{t('feedback.none')}</p>
  return (
    <ul className="divide-border grid content-start divide-y">
      {said.map((each) => (
        <li key={each.id} className="flex items-start justify-between gap-2 py-2 text-sm">
          <Words feedback={each} />
          <Button
            variant="ghost"
            size="icon"
            aria-label={t('feedback.takeBack', { author: each.author })}
            onClick={() =>
              mutate(each.id, {
                onError: (failure) => toast(errorMessage(failure, common), 'error'),
              })
            }
          >
            <Trash2 aria-hidden />
          </Button>
        </li>
      ))}
    </ul>
  )
}

function Words({ feedback }: { feedback: Feedback }) {
  const { t, i18n } = useTranslation('evaluations')
  const { label, utility_label: utility, claim_position: position, comment, author } = feedback
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-center gap-1">
        <Badge variant={VARIANTS[label]}>{t(`labels.${label}`)}</Badge>
        {utility && <Badge>{t(`utilities.${utility}`)}</Badge>}
        {position === null ? t('feedback.whole') : t('feedback.claim', { position })}
      </p>
      {comment && <p className="whitespace-pre-wrap">{comment}</p>}
      <p className="text-muted-foreground text-xs">
        {author} · {moment(feedback.updated_at, i18n.language)}
      </p>
    </div>
  )
}
