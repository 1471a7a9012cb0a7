import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'

interface Props {
  evaluation: Schema<'SearchQAEvaluationView'>
}

/** What of the answer or its notes was not judged, and why such a verdict is never sure. */
export function UnjudgedNote({ evaluation }: Props) {
  const { t, i18n } = useTranslation('ai')
  const { extent, flags } = evaluation
  const number = new Intl.NumberFormat(i18n.language)
  const told: string[] = []
  if (extent && extent.judged_answer_chars < extent.answer_chars) {
    const judged = number.format(extent.judged_answer_chars)
    told.push(t('unjudged.answer', { judged, total: number.format(extent.answer_chars) }))
  }
  if (extent && extent.judged_note_chars < extent.note_chars) {
    const judged = number.format(extent.judged_note_chars)
    told.push(t('unjudged.notes', { judged, total: number.format(extent.note_chars) }))
  }
  if (flags?.includes('claims_limit_reached')) told.push(t('unjudged.claims'))
  if (told.length === 0) return null
  return <p className="text-warning-foreground text-sm">{told.join(' ')}</p>
}
