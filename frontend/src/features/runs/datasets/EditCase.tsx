import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { DialogActions, Form, ShownDialog, Textarea } from '@/components/ui'

import type { Edit } from './decisions'

interface Props {
  open: boolean
  start: Edit
  onClose: () => void
  onApply: (edit: Edit) => void
}

export function EditCase({ open, start, onClose, onApply }: Props) {
  const { t } = useTranslation('runs')
  const [question, setQuestion] = useState(start.question)
  const [answer, setAnswer] = useState(start.reference_answer)
  const [tried, setTried] = useState(false)
  const empty = question.trim() === ''
  const apply = () => {
    setTried(true)
    if (empty) return
    onClose()
    onApply({ question: question.trim(), reference_answer: answer.trim() })
  }
  return (
    <ShownDialog title={t('review.editTitle')} open={open} onClose={onClose}>
      <Form className="grid gap-3" onSubmit={apply}>
        <Textarea
          label={t('dataset.question')}
          value={question}
          maxLength={4000}
          error={tried && empty ? t('review.needQuestion') : undefined}
          onChange={({ target }) => setQuestion(target.value)}
        />
        <Textarea
          label={t('dataset.answer')}
          hint={t('review.removeAnswer')}
          value={answer}
          maxLength={10_000}
          onChange={({ target }) => setAnswer(target.value)}
        />
        <DialogActions>{t('review.apply')}</DialogActions>
      </Form>
    </ShownDialog>
  )
}
