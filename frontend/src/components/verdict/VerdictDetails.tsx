import { voiceOf } from '@/lib/judge'
import type { Verdict } from '@/lib/verdict'

import { ClaimList } from './ClaimList'
import { Doubts } from './Doubts'
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
  const { qa_evaluation: evaluation, quality, feedback } = verdict
  const voice = voiceOf(verdict)
  return (
    <div className="grid gap-4">
      {evaluation && (
        <>
          {evaluation.summary && <p className="text-sm">{evaluation.summary}</p>}
          <SourceList sources={evaluation.source_coverage} onOpenNote={onOpenNote} />
          <GroundingIssues issues={evaluation.grounding_issues} voice={voice} />
          <Doubts flags={evaluation.flags} />
        </>
      )}
      {feedback && <PhaseScores feedback={feedback} voice={voice} />}
      {feedback?.groundedness && <ClaimList {...feedback.groundedness} onOpenNote={onOpenNote} />}
      {quality && <QualityChecks quality={quality} />}
    </div>
  )
}
