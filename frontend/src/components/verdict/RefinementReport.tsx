import { useTranslation } from 'react-i18next'

import { Badge, Spinner } from '@/components/ui'
import { type RefinementView, useRefinementView } from '@/hooks/useRefinement'
import type { Schema } from '@/lib/api'
import { numbers, percent, twoDecimals } from '@/lib/figures'
import { type EvaluationView, isFinal } from '@/lib/verdict'

const change = numbers({ style: 'percent', signDisplay: 'exceptZero' })

interface Props {
  refinement: NonNullable<EvaluationView['refinement']>
}

/** What was done to improve an answer, why it ended, and what came of it. */
export function RefinementReport({ refinement }: Props) {
  const { t } = useTranslation('ai')
  const ended = isFinal(refinement.status)
  const { data: view } = useRefinementView(refinement)
  return (
    <section aria-label={t('refinement.title')} className="grid gap-1 text-sm">
      {refinement.automatic && <p className="text-muted-foreground">{t('refinement.automatic')}</p>}
      {!ended && <Spinner label={t('chat.refining')} />}
      {ended && !refinement.best_iteration && (
        <p className="text-muted-foreground">{t('chat.notRefined')}</p>
      )}
      {view && (
        <>
          {view.stop_reason && <p>{t(`refinement.stop.${view.stop_reason}`)}</p>}
          <Measures view={view} />
          <details>
            <summary className="min-h-6 font-medium">{t('refinement.rounds')}</summary>
            <ol className="mt-2 grid gap-3">
              {view.iterations.map((round) => (
                <RefinementRound key={round.position} round={round} />
              ))}
            </ol>
          </details>
        </>
      )}
    </section>
  )
}

/** By how much the verdict changed, and what the searches found. */
function Measures({ view }: { view: RefinementView }) {
  const { t } = useTranslation('ai')
  const { correctness_lift, utility_lift, targeted_retrieval, relevance } = view
  const fromTo = (first: number | null, last: number | null) =>
    first !== null && last !== null && { first: percent(first), last: percent(last) }
  const precision = fromTo(view.first_precision, view.last_precision)
  const recall = fromTo(view.first_recall, view.last_recall)
  const found = [
    targeted_retrieval !== null && t('refinement.targeted', { share: percent(targeted_retrieval) }),
    precision && t('refinement.precision', precision),
    recall && t('refinement.recall', recall),
    (precision || recall) && relevance && t(`refinement.relevance.${relevance}`),
    t('refinement.calls', { count: view.iterations.reduce((sum, { calls }) => sum + calls, 0) }),
  ].filter(Boolean)
  return (
    <>
      {correctness_lift !== null && utility_lift !== null && (
        <p>
          {t('refinement.verdictLift', {
            correctness: change(correctness_lift),
            utility: change(utility_lift),
          })}
        </p>
      )}
      <p className="text-muted-foreground">{found.join(' · ')}</p>
    </>
  )
}

type Round = Schema<'IterationView'>

/** One round of an improvement: what was searched for and found, and how good the answer is. */
function RefinementRound({ round }: { round: Round }) {
  const { t } = useTranslation('ai')
  const { position, documents, missing_info } = round
  return (
    <li className="border-border grid gap-1 border-l-2 pl-3">
      <p className="font-medium">
        {position === 0 ? t('refinement.first') : t('refinement.round', { number: position })}
      </p>
      <Query round={round} />
      {documents !== null && documents.length > 0 && (
        <p className="text-muted-foreground">
          {t('refinement.notes')}: {documents.map(({ title }) => title).join(', ')}
        </p>
      )}
      {round.answer !== null && position > 0 && (
        <p className="whitespace-pre-wrap">{round.answer}</p>
      )}
      <Scores round={round} />
      {missing_info !== null && missing_info.length > 0 && (
        <p className="text-muted-foreground">
          {t('refinement.missing')}: {missing_info.join('; ')}
        </p>
      )}
    </li>
  )
}

function Query({ round: { query, searched, rewritten_by } }: { round: Round }) {
  const { t } = useTranslation('ai')
  if (!searched) return <p>{t('refinement.sameNotes')}</p>
  if (rewritten_by === null) return null
  return (
    <p>
      {t(`refinement.rewritten.${rewritten_by as 'llm'}`)}: {query}
    </p>
  )
}

function Scores({ round }: { round: Round }) {
  const { t } = useTranslation('ai')
  const { overall_score, grounding, completeness, accuracy, correctness, utility } = round
  return (
    <>
      {overall_score !== null && (
        <p className="flex flex-wrap items-center gap-2">
          {t('refinement.scores', {
            overall: twoDecimals(overall_score),
            grounding: twoDecimals(grounding ?? 0),
            completeness: twoDecimals(completeness ?? 0),
            accuracy: twoDecimals(accuracy ?? 0),
          })}
          {round.heuristic && <Badge variant="warning">{t('refinement.heuristic')}</Badge>}
        </p>
      )}
      {correctness !== null && utility !== null && (
        <p>
          {t('refinement.verdict', {
            correctness: twoDecimals(correctness),
            utility: twoDecimals(utility),
          })}
        </p>
      )}
      {round.verdict_error !== null && (
        <p className="text-warning-foreground">
          {t('refinement.verdictError')}: {round.verdict_error}
        </p>
      )}
      {round.needs_retrieval !== null && overall_score !== null && (
        <p className="text-muted-foreground">
          {t(round.needs_retrieval ? 'refinement.search' : 'refinement.rewrite')}
        </p>
      )}
    </>
  )
}
