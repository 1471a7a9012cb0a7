import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { Badge, Button } from '@/components/ui'
import { useRefinement } from '@/hooks/useRefinement'
import type { Schema } from '@/lib/api'
import { type EvaluationView, isFinal, type Verdict } from '@/lib/verdict'

import { ImproveAnswer } from '../verdict/ImproveAnswer'
import { RefinedAnswer } from '../verdict/RefinedAnswer'
import { RefinementReport } from '../verdict/RefinementReport'
import { RulesFinding } from '../verdict/RulesFinding'
import { Section } from '../verdict/Section'
import type { OpenNote } from '../verdict/SourceList'
import { VerdictProgress } from '../verdict/VerdictProgress'
import { VerdictWhy } from '../verdict/VerdictWhy'

interface Props {
  question: string
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

/** Below an answer: the life of its verdict in a line, behind which is all that it has to say. */
export function AnswerVerdict(props: Props) {
  const { question, answer, verdict, refinement, onOpenNote, onAsk, busy, judgedAgain } = props
  const { t } = useTranslation('ai')
  const better = useRefinement(refinement)
  const refining = refinement !== null && !isFinal(refinement.status)
  const steps = verdict.feedback?.next_steps
  return (
    <div className="grid gap-2 text-sm" data-status={verdict.status}>
      <VerdictWhy verdict={verdict} onOpenNote={onOpenNote}>
        {refinement && !refining && <RefinementReport refinement={refinement} />}
      </VerdictWhy>
      <RulesFinding verdict={verdict} />
      <VerdictProgress verdict={verdict} />
      {judgedAgain !== undefined && (
        <p>
          {t('verdict.judgedAgain')}{' '}
          <Link className="text-primary underline" to={`/evaluations/${judgedAgain}`}>
            {t('verdict.toCurrent')}
          </Link>
        </p>
      )}
      <ImproveAnswer verdict={verdict} refinement={refinement} />
      {refining && <RefinementReport refinement={refinement} />}
      {better && (
        <RefinedAnswer
          first={answer}
          refined={better.answer}
          lift={better.lift}
          titles={better.documents.map(({ title }) => title)}
        />
      )}
      {steps && <NextSteps steps={steps} question={question} onAsk={onAsk} disabled={busy} />}
    </div>
  )
}

interface NextStepsProps {
  steps: Schema<'NextStepsPhaseView'>
  question: string
  /** Asks one of them as the next question. */
  onAsk: (question: string) => void
  /** While no question can be asked. */
  disabled: boolean
}

function NextSteps({ steps, question, onAsk, disabled }: NextStepsProps) {
  const { t } = useTranslation('ai')
  const { action_items: actions, urgency } = steps
  const queries = newQuestions(steps.suggested_queries, question)
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
            <Button
              size="sm"
              className="h-auto max-w-full py-1 text-left whitespace-normal"
              disabled={disabled}
              onClick={() => onAsk(query)}
            >
              {query}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const QUOTED = /[“"]([^”"]+)[”"]/
const bare = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Of questions to go on with, those that are not what was asked, in whole or in part, also where
 * they only quote it. */
export function newQuestions(suggested: readonly string[], asked: string): string[] {
  const question = bare(asked)
  return suggested.filter((each) => {
    const topic = bare(QUOTED.exec(each)?.[1] ?? each)
    return topic !== '' && !question.includes(topic) && !topic.includes(question)
  })
}
