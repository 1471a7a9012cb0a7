import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { ImproveAnswer } from '@/components/verdict/ImproveAnswer'
import { NextSteps } from '@/components/verdict/NextSteps'
import { RefinedAnswer } from '@/components/verdict/RefinedAnswer'
import { RefinementReport } from '@/components/verdict/RefinementReport'
import type { OpenNote } from '@/components/verdict/SourceList'
import { VerdictBars } from '@/components/verdict/VerdictBars'
import { VerdictDetails } from '@/components/verdict/VerdictDetails'
import { VerdictProgress } from '@/components/verdict/VerdictProgress'
import { VerdictStatus } from '@/components/verdict/VerdictStatus'
import { useRefinement } from '@/hooks/useRefinement'
import { voiceOf } from '@/lib/judge'
import type { EvaluationView, Verdict } from '@/lib/verdict'

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
          {t('status.judgedAgain')}{' '}
          <Link className="text-primary underline" to={`/evaluations/${judgedAgain}`}>
            {t('status.toCurrent')}
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
