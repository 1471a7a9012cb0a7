import { useTranslation } from 'react-i18next'

import { Spinner } from '@/components/ui'
import { ClaimList } from '@/components/verdict/ClaimList'
import { Doubts } from '@/components/verdict/Doubts'
import { GroundingIssues } from '@/components/verdict/GroundingIssues'
import { isFinal, type EvaluationView } from '@/lib/verdict'

import type { Trial } from '../api/trials'

import { ClaimChanges } from './ClaimChanges'
import { FigureTable } from './FigureTable'

interface Props {
  view: EvaluationView
  trial: Trial
}

/** The trial beside the stored verdict, and what it says in full. */
export function Comparison({ view, trial }: Props) {
  const { t } = useTranslation('playground')
  const { verdict } = trial
  if (!isFinal(trial.status)) return <Spinner label={t('result.judging')} />
  if (!verdict) {
    return (
      <p role="alert" className="bg-danger-soft text-danger-foreground rounded-md p-3 text-sm">
        {trial.error ?? t('result.cancelled')}
      </p>
    )
  }
  const { evaluation, claims } = verdict
  return (
    <>
      <p className="text-muted-foreground text-sm">{t('result.apart')}</p>
      <FigureTable view={view} trial={trial} verdict={verdict} />
      <ClaimChanges before={view.feedback?.groundedness?.claims ?? null} after={claims} />
      <section className="grid gap-4">
        <h3 className="text-sm font-semibold">{t('result.whole')}</h3>
        {evaluation.summary && <p className="text-sm">{evaluation.summary}</p>}
        <GroundingIssues issues={evaluation.grounding_issues} voice="model" />
        <Doubts flags={evaluation.flags} />
        {claims && <ClaimList claims={claims} source="judge" />}
      </section>
    </>
  )
}
