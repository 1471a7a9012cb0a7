import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Badge, Button, Card, Form, IconButton, Select, Spinner, Textarea } from '@/components/ui'
import {
  type Feedback,
  type Label,
  useDeleteFeedback,
  useFeedback,
  useSaveFeedback,
} from '@/hooks/useFeedback'
import { personName } from '@/lib/names'
import { toast, toastError } from '@/lib/toast'

import { moment } from '../scores'

import { LabelButtons } from './LabelButtons'

const UTILITIES = ['useful', 'partly', 'useless'] as const
type Utility = NonNullable<Feedback['utility_label']>

/** What people say of the answer as a whole. */
export function AnswerFeedback({ id }: { id: string }) {
  const { t } = useTranslation('evaluations')
  const [label, setLabel] = useState<Label | null>(null)
  const [utility, setUtility] = useState<Utility | ''>('')
  const [comment, setComment] = useState('')
  const { mutate, isPending, error } = useSaveFeedback(id)
  const send = () => {
    if (label === null) return
    const words = comment.trim()
    const body = {
      label,
      ...(utility !== '' && { utility_label: utility }),
      ...(words !== '' && { comment: words }),
    }
    mutate(body, {
      onSuccess: () => {
        setComment('')
        toast(t('feedback.saved'), 'success')
      },
    })
  }
  return (
    <Card title={t('feedback.title')}>
      <div className="grid gap-6 md:grid-cols-2 lg:grid-cols-1">
        <Form onSubmit={send} className="grid content-start justify-items-start gap-3">
          <LabelButtons name={t('feedback.ofAnswer')} chosen={label} onChoose={setLabel} />
          <Select
            label={t('feedback.utility')}
            value={utility}
            onValue={setUtility}
            options={UTILITIES.map((known) => ({ value: known, text: t(`utilities.${known}`) }))}
            none={t('feedback.notSaid')}
          />
          <div className="w-full">
            <Textarea
              label={t('feedback.comment')}
              value={comment}
              maxLength={4000}
              onValue={setComment}
            />
          </div>
          {error && <ErrorState error={error} />}
          <Button type="submit" disabled={label === null || isPending}>
            {t('feedback.send')}
          </Button>
        </Form>
        <Said id={id} />
      </div>
    </Card>
  )
}

const VARIANTS = { right: 'success', partly: 'warning', wrong: 'danger' } as const

/** What everybody said so far, to be taken back. */
function Said({ id }: { id: string }) {
  const { t } = useTranslation('evaluations')
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
          <IconButton
            label={t('feedback.takeBack', { author: personName(each.author) })}
            onClick={() => mutate(each.id, { onError: toastError })}
            icon={Trash2}
          />
        </li>
      ))}
    </ul>
  )
}

function Words({ feedback }: { feedback: Feedback }) {
  const { t } = useTranslation('evaluations')
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
        {personName(author)} · {moment(feedback.updated_at)}
      </p>
    </div>
  )
}
