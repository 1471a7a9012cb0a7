import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { Badge, Button } from '@/components/ui'
import { useRefinement } from '@/hooks/useRefinement'
import type { Schema } from '@/lib/api'
import { voiceOf } from '@/lib/judge'
import type { EvaluationView, Verdict } from '@/lib/verdict'

import { ImproveAnswer } from '../verdict/ImproveAnswer'
import { RefinedAnswer } from '../verdict/RefinedAnswer'
import { RefinementReport } from '../verdict/RefinementReport'
import { Section } from '../verdict/Section'
import type { OpenNote } from '../verdict/SourceList'
import { VerdictBars } from '../verdict/VerdictBars'
import { VerdictDetails } from '../verdict/VerdictDetails'
import { VerdictProgress } from '../verdict/VerdictProgress'
import { VerdictStatus } from '../verdict/VerdictStatus'

interface Props {
  answer: string
  verdict: Verdict
  refinement: EvaluationView['refinement']
  onOpenNote: OpenNote
  onAsk: (question: string) => void
  /** While no question can be asked. */
  busy: boolean
  /** The verdict that counts, where the answer was judged again since. */
  judgedAgain?: string | undefined
}

/** Below an answer: the life of its verdict, and all that it has to say. */
export function AnswerVerdict(props: Props) {
  const { answer, verdict, refinement, onOpenNote, onAsk, busy, judgedAgain } = props
  const { t } = useTranslation('ai')
  const better = useRefinement(refinement)
  const { qa_evaluation: evaluation, feedback, quality } = verdict
  const steps = feedback?.next_steps
  return (
    <div className="border-border grid gap-3 border-t pt-3">
      <VerdictStatus verdict={verdict} />
      <VerdictProgress verdict={verdict} />
      {judgedAgain !== undefined && (
        <p className="text-sm">
          {t('verdict.judgedAgain')}{' '}
          <Link className="text-primary underline" to={`/evaluations/${judgedAgain}`}>
            {t('verdict.toCurrent')}
          </Link>
        </p>
      )}
      {evaluation && <VerdictBars evaluation={evaluation} voice={voiceOf(verdict)} />}
      <ImproveAnswer verdict={verdict} refinement={refinement} />
      {(evaluation ?? feedback ?? quality) && (
        <details className="group">
          <summary className="min-h-6 text-sm font-medium">{t('details')}</summary>
          <div className="mt-3">
            <VerdictDetails verdict={verdict} onOpenNote={onOpenNote} />
          </div>
        </details>
      )}
      {steps && <NextSteps steps={steps} onAsk={onAsk} disabled={busy} />}
      {refinement && <RefinementReport refinement={refinement} />}
      {better && (
        <RefinedAnswer
          first={answer}
          refined={better.answer}
          lift={better.lift}
          titles={better.documents.map(({ title }) => title)}
        />
      )}
    </div>
  )
}

interface NextStepsProps {
  steps: Schema<'NextStepsPhaseView'>
  /** Asks one of them as the next question; without it they are only listed. */
  onAsk?: ((question: string) => void) | undefined
  /** While no question can be asked. */
  disabled?: boolean
}

function NextSteps({ steps, onAsk, disabled = false }: NextStepsProps) {
  const { t } = useTranslation('ai')
  const { suggested_queries: queries, action_items: actions, urgency } = steps
  if (queries.length + actions.length === 0) return null
  return (
    <Section title={t('nextSteps')}>
      {urgency === 'high' && <Badge variant="danger">{t('urgent')}</Badge>}
      {actions.length > 0 && (
        <ul className="list-disc pl-5">
          {actions.map((action) => (
            <li key={action}>{action}</li>
          ))}
        </ul>
      )}
      <ul className="mt-2 flex flex-wrap gap-2">
        {queries.map((query) => (
          <li key={query} className="max-w-full">
            {onAsk ? (
              <Button
                size="sm"
                className="h-auto max-w-full py-1 text-left whitespace-normal"
                disabled={disabled}
                onClick={() => onAsk(query)}
              >
                {query}
              </Button>
            ) : (
              query
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
