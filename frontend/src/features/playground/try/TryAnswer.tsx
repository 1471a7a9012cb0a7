import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { ErrorState } from '@/components/page'
import { Card, CardTitle, Spinner } from '@/components/ui'
import { useJudgePrompts } from '@/hooks/useJudgePrompts'
import { useVerdict } from '@/hooks/useVerdict'
import type { EvaluationView } from '@/lib/verdict'

import { usePolicyJudge } from '../api/trials'
import { useShippedPrompts } from '../api/prompts'
import { useTrials } from '../api/trials'
import { choicesOf } from '../choices'

import { Comparison } from './Comparison'
import { PromptForm, RESULT } from './PromptForm'
import { TrialChoice } from './TrialChoice'

/** A stored answer, the prompt that it is tried with, and what came of it beside its verdict. */
export function TryAnswer({ id }: { id: string }) {
  const { t } = useTranslation('playground')
  const { view, error } = useVerdict(id)
  const policy = usePolicyJudge()
  const shipped = useShippedPrompts()
  const own = useJudgePrompts()
  const failed = error ?? policy.error ?? shipped.error ?? own.error
  if (failed) {
    return (
      <div className="grid justify-items-start gap-3">
        <ErrorState error={failed} />
        <Link to="/playground" className="underline underline-offset-2">
          {t('try.another')}
        </Link>
      </div>
    )
  }
  if (!view || !policy.data || !shipped.data || !own.data) return <Spinner />
  return (
    <div className="grid min-w-0 gap-4">
      <Answer view={view} />
      <PromptForm
        view={view}
        policy={policy.data}
        choices={choicesOf(shipped.data, own.data)}
        shipped={shipped.data}
      />
      <Results view={view} />
    </div>
  )
}

function Answer({ view }: { view: EvaluationView }) {
  const { t } = useTranslation('playground')
  return (
    <Card className="min-w-0">
      <CardTitle className="line-clamp-3 break-words">{view.question}</CardTitle>
      <p className="line-clamp-6 text-sm break-words whitespace-pre-wrap">{view.answer}</p>
      <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <Link to={`/evaluations/${view.id}`} className="underline underline-offset-2">
          {t('try.open')}
        </Link>
        <Link to="/playground" className="underline underline-offset-2">
          {t('try.another')}
        </Link>
      </p>
    </Card>
  )
}

function Results({ view }: { view: EvaluationView }) {
  const { data: trials, error, refetch } = useTrials(view.id)
  // Holds until there is a newer trial.
  const [chosen, setChosen] = useState<{ id: string; newest: string } | null>(null)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  const [newest] = trials ?? []
  if (!trials || !newest) return null
  const wanted = chosen?.newest === newest.id ? chosen.id : newest.id
  const trial = trials.find(({ id }) => id === wanted) ?? newest
  return (
    <Card id={RESULT} className="grid min-w-0 scroll-mt-20 gap-4" aria-live="polite">
      <TrialChoice
        trials={trials}
        trial={trial}
        onChoose={(id) => setChosen({ id, newest: newest.id })}
      />
      <Comparison view={view} trial={trial} />
    </Card>
  )
}
