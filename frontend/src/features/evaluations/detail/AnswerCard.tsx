import { useTranslation } from 'react-i18next'

import { Answer } from '@/components/answer/Answer'
import { Card } from '@/components/ui'
import { RefinedAnswer } from '@/components/verdict/RefinedAnswer'
import type { OpenNote } from '@/components/verdict/SourceList'
import { useRefinement } from '@/hooks/useRefinement'
import type { EvaluationView } from '@/lib/verdict'

import { moment } from '../scores'

interface Props {
  view: EvaluationView
  onOpenNote: OpenNote
}

/** The question, and the answer with what nothing bears out underlined. */
export function AnswerCard({ view, onOpenNote }: Props) {
  const { t, i18n } = useTranslation('evaluations')
  const better = useRefinement(view.refinement)
  const claims = view.feedback?.groundedness?.claims
  return (
    <Card className="grid content-start gap-3">
      <h2 className="font-semibold whitespace-pre-wrap" lang={view.lang}>
        {view.question}
      </h2>
      <div lang={view.lang}>
        <Answer
          text={view.answer}
          noteCount={view.qa_evaluation?.source_coverage.length ?? 0}
          onOpenNote={onOpenNote}
          {...(claims && { claims })}
        />
      </div>
      <p className="text-muted-foreground text-sm">
        {t(`options.feature.${view.feature as 'search_qa'}`, { defaultValue: view.feature })} ·{' '}
        {moment(view.created_at, i18n.language)}
      </p>
      {better && (
        <RefinedAnswer
          first={view.answer}
          refined={better.answer}
          lift={better.lift}
          titles={better.documents.map(({ title }) => title)}
        />
      )}
    </Card>
  )
}
