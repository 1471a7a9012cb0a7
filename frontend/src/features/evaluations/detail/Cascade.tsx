import { useTranslation } from 'react-i18next'

import { DataTable } from '@/components/page'
import { Card } from '@/components/ui'
import type { Confidence } from '@/lib/answerState'
import type { Schema } from '@/lib/api'
import { percent, roundDollars } from '@/lib/figures'
import { judgeName } from '@/lib/names'

type Step = Schema<'CascadeStepView'>

const RULES = 'offline:rules'
const BY_RULES = { high: 'confirmed', medium: 'undecided', low: 'contradicted' } as const

/** What each judge of a cascade said, in the order in which they were asked. */
export function Cascade({ steps }: { steps: readonly Step[] }) {
  const { t } = useTranslation('evaluations')
  const { t: ai } = useTranslation('ai')
  const said = ({ judge_model: judge, confidence, correctness }: Step) => {
    if (confidence === null) return '–'
    const level = confidence as Confidence
    if (judge === RULES) return ai(`state.${BY_RULES[level]}`)
    return `${t(`options.confidence.${level}`)} · ${percent(correctness)}`
  }
  return (
    <Card title={t('cascade.title')}>
      <DataTable<Step>
        caption={t('cascade.title')}
        rows={steps}
        // A judge that stands in for the last one may have been a step already.
        rowKey={(step) => `${step.judge_model} ${step.decided}`}
        columns={[
          { header: t('cascade.judge'), cell: (step) => judgeName(step.judge_model) },
          { header: t('cascade.said'), cell: (step) => said(step) },
          { header: t('cascade.role'), cell: (step) => <Role step={step} /> },
          {
            header: t('cascade.cost'),
            numeric: true,
            cell: ({ cost_usd: cost }) => roundDollars(cost),
          },
        ]}
      />
    </Card>
  )
}

function Role({ step }: { step: Step }) {
  const { t } = useTranslation('evaluations')
  if (step.error !== null) {
    return <span className="text-danger">{t('cascade.failed', { error: step.error })}</span>
  }
  if (step.decided) return <strong>{t('cascade.decided')}</strong>
  return <>{t(step.checked ? 'cascade.checked' : 'cascade.passedOn')}</>
}
