import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { ProgressBar } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { listsFindings, outcomeOf, type Voice, voiceOf } from '@/lib/judge'
import type { EvaluationView, Verdict } from '@/lib/verdict'

import { ClaimList } from './ClaimList'
import { Doubts, GroundingIssues, QualityChecks } from './Findings'
import { Section, Words } from './Section'
import { type OpenNote, SourceList } from './SourceList'
import { VerdictLine, VerdictNotes } from './VerdictStatus'
import { toneOf } from './tone'

type Props = ComponentProps<typeof VerdictDetails> & { children?: ReactNode }

/** The life of a verdict in a line, behind which is all that it rests on: judge, scores, checks. */
export function VerdictWhy({ children, ...details }: Props) {
  const { t } = useTranslation('ai')
  const { verdict } = details
  const { qa_evaluation: evaluation, feedback, quality } = verdict
  if (!(evaluation ?? feedback ?? quality ?? verdict.error))
    return <VerdictLine verdict={verdict} />
  return (
    <details className="group text-sm">
      <summary className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <VerdictLine verdict={verdict} />
        <span className="text-muted-foreground inline-flex items-center gap-1">
          {t('details')}
          <ChevronDown aria-hidden className="size-4 group-open:rotate-180" />
        </span>
      </summary>
      <div className="border-border my-2 grid gap-row border-l-2 pl-card">
        <div className="grid justify-items-start gap-1">
          <VerdictNotes verdict={verdict} />
        </div>
        {evaluation && <VerdictBars evaluation={evaluation} voice={voiceOf(verdict)} />}
        <VerdictDetails {...details} />
        {children}
      </div>
    </details>
  )
}

type Evaluation = NonNullable<EvaluationView['qa_evaluation']>

// What the confidence is decided by: correctness from .8 and utility from .7 are good; and from where
// on the API says of a phase that it needs no improvement.
const GOOD = { correctness: 0.8, utility: 0.7, phase: 0.7 }
const FAIR = 0.5

/** Scores of a judge that has read the answer; what rules find is put in words. */
function VerdictBars({ evaluation, voice }: { evaluation: Evaluation; voice: Voice }) {
  const { t } = useTranslation('ai')
  const { correctness, utility, outcome } = evaluation
  if (outcome) return null
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <ProgressBar
        label={t('qaCorrectness')}
        value={correctness}
        tone={toneOf(correctness, GOOD.correctness, FAIR, voice)}
      />
      <ProgressBar
        label={t('qaUtility')}
        value={utility}
        tone={toneOf(utility, GOOD.utility, FAIR, voice)}
      />
    </div>
  )
}

interface VerdictDetailsProps {
  verdict: Verdict
  onOpenNote?: OpenNote
  /** Where the notes stand elsewhere on the page. */
  withoutSources?: boolean
  /** What stands below each claim, which are listed then in any case. */
  belowClaim?: ComponentProps<typeof ClaimList>['below']
}

/** What a verdict rests on. */
export function VerdictDetails({
  verdict,
  onOpenNote,
  withoutSources,
  belowClaim,
}: VerdictDetailsProps) {
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

interface PhaseScoresProps {
  feedback: Schema<'FeedbackView'>
  voice: Voice
  withScores: boolean
}

/** The scores of the phases; those that had nothing to check say so. Without scores, what is missing
 * in the answer. */
function PhaseScores({ feedback, voice, withScores }: PhaseScoresProps) {
  const { t } = useTranslation('ai')
  const { citation, completeness, groundedness } = feedback
  const phases = [
    { name: 'citation', phase: citation, score: citation?.context_relevance },
    { name: 'completeness', phase: completeness, score: completeness?.completeness },
    { name: 'groundedness', phase: groundedness, score: groundedness?.groundedness },
  ] as const
  const missing = completeness && <Nuggets nuggets={completeness.nuggets} />
  if (!withScores) return missing
  return (
    <Section title={t('phases.title')}>
      <div className="grid gap-3 sm:grid-cols-3">
        {phases.map(
          ({ name, phase, score }) =>
            phase && (
              <div key={name} className="grid content-start gap-1">
                {typeof score === 'number' ? (
                  <ProgressBar
                    label={t(`phases.${name}`)}
                    value={score}
                    tone={toneOf(
                      score,
                      GOOD.phase,
                      FAIR,
                      phase.source === 'rules' ? 'rules' : voice,
                    )}
                  />
                ) : (
                  <p>
                    {t(`phases.${name}`)}:{' '}
                    <span className="text-muted-foreground">{t('phases.nothing')}</span>
                  </p>
                )}
                {phase.fallback !== null ? (
                  <p className="text-warning-foreground text-xs" title={phase.fallback}>
                    {t('phases.fallback')}
                  </p>
                ) : (
                  phase.source === 'rules' && (
                    <p className="text-muted-foreground text-xs">{t('byRules')}</p>
                  )
                )}
              </div>
            ),
        )}
      </div>
      {missing}
    </Section>
  )
}

function Nuggets({ nuggets }: { nuggets: readonly Schema<'NuggetView'>[] }) {
  const { t } = useTranslation('ai')
  const missing = nuggets.filter(({ support }) => support !== 'supported')
  if (missing.length === 0) return null
  return (
    <div className="mt-2 text-sm">
      <p className="text-muted-foreground">{t('missing')}</p>
      <ul className="list-disc pl-5">
        {missing.map(({ text, importance, support }) => (
          <li key={text}>
            {text}{' '}
            <span className="text-muted-foreground">
              (
              {[...(importance === 'vital' ? [t('vital')] : []), t(`support.${support}`)].join(
                ', ',
              )}
              )
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
