import { useTranslation } from 'react-i18next'

import { voiceOf } from '@/lib/judge'
import type { Verdict } from '@/lib/verdict'

import { ClaimList } from './ClaimList'
import { GroundingIssues } from './GroundingIssues'
import { PhaseScores } from './PhaseScores'
import { QualityChecks } from './QualityChecks'
import { SourceList, type OpenNote } from './SourceList'

interface Props {
  verdict: Verdict
  onOpenNote?: OpenNote
}

/** What a verdict rests on. */
export function VerdictDetails({ verdict, onOpenNote }: Props) {
  const { t } = useTranslation('ai')
  const { qa_evaluation: evaluation, quality, feedback } = verdict
  const voice = voiceOf(verdict)
  const doubtful = evaluation?.flags?.includes('score_contradicts_issues')
  return (
    <div className="grid gap-4">
      {evaluation && (
        <>
          {evaluation.summary && <p className="text-sm">{evaluation.summary}</p>}
          {doubtful && <p className="text-warning-foreground text-sm">{t('doubtful')}</p>}
          <SourceList sources={evaluation.source_coverage} onOpenNote={onOpenNote} />
          <GroundingIssues issues={evaluation.grounding_issues} voice={voice} />
        </>
      )}
      {feedback && <PhaseScores feedback={feedback} voice={voice} />}
      {feedback?.groundedness && <ClaimList {...feedback.groundedness} onOpenNote={onOpenNote} />}
      {quality && <QualityChecks quality={quality} />}
    </div>
  )
}
