import { useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Card, CardTitle, Select, Textarea } from '@/components/ui'
import { useSaveFeedback, type Feedback, type Label } from '@/hooks/useFeedback'
import { toast } from '@/lib/toast'

import { LabelButtons } from './LabelButtons'
import { Said } from './Said'

const UTILITIES = ['useful', 'partly', 'useless'] as const
type Utility = NonNullable<Feedback['utility_label']>

/** What people say of the answer as a whole. */
export function AnswerFeedback({ id }: { id: string }) {
  const { t } = useTranslation('evaluations')
  const [label, setLabel] = useState<Label | null>(null)
  const [utility, setUtility] = useState<Utility | ''>('')
  const [comment, setComment] = useState('')
  const { mutate, isPending, error } = useSaveFeedback(id)
  const send = (event: SubmitEvent) => {
    event.preventDefault()
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
    <Card aria-label={t('feedback.title')}>
      <CardTitle>{t('feedback.title')}</CardTitle>
      <div className="grid gap-6 md:grid-cols-2 lg:grid-cols-1">
        <form onSubmit={send} className="grid content-start justify-items-start gap-3">
          <LabelButtons name={t('feedback.ofAnswer')} chosen={label} onChoose={setLabel} />
          <Select
            label={t('feedback.utility')}
            value={utility}
            onChange={(event) =>
              setUtility(UTILITIES.find((known) => known === event.target.value) ?? '')
            }
          >
            <option value="">{t('feedback.notSaid')}</option>
            {UTILITIES.map((known) => (
              <option key={known} value={known}>
                {t(`utilities.${known}`)}
              </option>
            ))}
          </Select>
          <div className="w-full">
            <Textarea
              label={t('feedback.comment')}
              value={comment}
              maxLength={4000}
              onChange={(event) => setComment(event.target.value)}
            />
          </div>
          {error && <ErrorState error={error} />}
          <Button type="submit" disabled={label === null || isPending}>
            {t('feedback.send')}
          </Button>
        </form>
        <Said id={id} />
      </div>
    </Card>
  )
}
