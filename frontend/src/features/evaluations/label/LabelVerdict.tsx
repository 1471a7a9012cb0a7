import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { Card, CardTitle } from '@/components/ui'
import type { OpenNote } from '@/components/verdict/SourceList'
import { VerdictBars } from '@/components/verdict/VerdictBars'
import { VerdictDetails } from '@/components/verdict/VerdictDetails'
import { VerdictStatus } from '@/components/verdict/VerdictStatus'
import { voiceOf } from '@/lib/judge'
import type { EvaluationView } from '@/lib/verdict'

interface Props {
  view: EvaluationView
  onOpenNote: OpenNote
}

/** What the judge says of the answer. */
export function LabelVerdict({ view, onOpenNote }: Props) {
  const { t } = useTranslation('evaluations')
  return (
    <Card aria-label={t('detail.verdict')} className="grid gap-4">
      <CardTitle className="mb-0">{t('detail.verdict')}</CardTitle>
      <VerdictStatus verdict={view} />
      {view.qa_evaluation && <VerdictBars evaluation={view.qa_evaluation} voice={voiceOf(view)} />}
      <VerdictDetails verdict={view} onOpenNote={onOpenNote} />
      <Link to={`/evaluations/${view.id}`} className="text-sm underline underline-offset-2">
        {t('label.toVerdict')}
      </Link>
    </Card>
  )
}
