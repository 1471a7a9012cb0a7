import { useTranslation } from 'react-i18next'

import { ProgressBar } from '@/components/ui'
import type { Voice } from '@/lib/judge'
import type { EvaluationView } from '@/lib/verdict'

import { toneOf } from './tone'

type Evaluation = NonNullable<EvaluationView['qa_evaluation']>

// What the confidence is decided by: correctness from .8 and utility from .7 are good.
const GOOD = { correctness: 0.8, utility: 0.7 }
const FAIR = 0.5

interface Props {
  evaluation: Evaluation
  voice: Voice
}

/** Scores of a judge that has read the answer; what rules find is put in words. */
export function VerdictBars({ evaluation, voice }: Props) {
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
