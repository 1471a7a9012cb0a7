import type { ComponentProps } from 'react'

import { listsFindings, outcomeOf, voiceOf } from '@/lib/judge'
import type { Verdict } from '@/lib/verdict'

import { ClaimList } from './ClaimList'
import { Doubts, GroundingIssues, QualityChecks } from './Findings'
import { PhaseScores } from './PhaseScores'
import { Words } from './Section'
import { SourceList, type OpenNote } from './SourceList'

interface Props {
  verdict: Verdict
  onOpenNote?: OpenNote
  /** Where the notes stand elsewhere on the page. */
  withoutSources?: boolean
  /** What stands below each claim, which are listed then in any case. */
  belowClaim?: ComponentProps<typeof ClaimList>['below']
}

/** What a verdict rests on. */
export function VerdictDetails({ verdict, onOpenNote, withoutSources, belowClaim }: Props) {
  const { qa_evaluation: evaluation, quality, feedback } = verdict
  const voice = voiceOf(verdict)
  const outcome = evaluation && outcomeOf(evaluation, voice)
  const found = listsFindings(outcome)
  const claims = found || belowClaim ? feedback?.groundedness : null
  return (
    <div className="grid gap-4">
      {evaluation?.summary && outcome !== 'undecided' && <Words>{evaluation.summary}</Words>}
      {evaluation && !withoutSources && (
        <SourceList sources={evaluation.source_coverage} onOpenNote={onOpenNote} />
      )}
      {evaluation && outcome === null && (
        <GroundingIssues issues={evaluation.grounding_issues} voice={voice} />
      )}
      {evaluation && <Doubts flags={evaluation.flags} ofRules={outcome !== null} />}
      {feedback && found && (
        <PhaseScores feedback={feedback} voice={voice} withScores={outcome === null} />
      )}
      {claims && <ClaimList {...claims} onOpenNote={onOpenNote} below={belowClaim} />}
      {quality && found && <QualityChecks quality={quality} />}
    </div>
  )
}
