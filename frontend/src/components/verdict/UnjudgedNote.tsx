import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'
import { unjudged } from '@/lib/unjudged'

interface Props {
  evaluation: Schema<'SearchQAEvaluationView'>
}

/** What of the answer or its notes was not judged, and why such a verdict is never sure. */
export function UnjudgedNote({ evaluation }: Props) {
  const { t, i18n } = useTranslation('ai')
  const told = unjudged(evaluation, i18n.language)
  if (told.length === 0) return null
  return (
    <p className="text-warning-foreground text-sm">
      {told.map(({ key, values }) => t(key, values)).join(' ')}
    </p>
  )
}
