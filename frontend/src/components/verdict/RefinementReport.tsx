import { useTranslation } from 'react-i18next'

import { Spinner } from '@/components/ui'
import { useRefinementView, type RefinementView } from '@/hooks/useRefinement'
import { isFinal, type EvaluationView } from '@/lib/verdict'

import { RefinementRound } from './RefinementRound'

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
  const { t, i18n } = useTranslation('ai')
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' })
  const change = new Intl.NumberFormat(i18n.language, {
    style: 'percent',
    signDisplay: 'exceptZero',
  })
  const { correctness_lift, utility_lift, targeted_retrieval, relevance } = view
  const fromTo = (first: number | null, last: number | null) =>
    first !== null && last !== null && { first: percent.format(first), last: percent.format(last) }
  const precision = fromTo(view.first_precision, view.last_precision)
  const recall = fromTo(view.first_recall, view.last_recall)
  const found = [
    targeted_retrieval !== null &&
      t('refinement.targeted', { share: percent.format(targeted_retrieval) }),
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
            correctness: change.format(correctness_lift),
            utility: change.format(utility_lift),
          })}
        </p>
      )}
      <p className="text-muted-foreground">{found.join(' · ')}</p>
    </>
  )
}
