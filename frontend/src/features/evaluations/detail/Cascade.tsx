import { useTranslation } from 'react-i18next'

import { DataTable } from '@/components/DataTable'
import { Card, CardTitle } from '@/components/ui/card'
import type { Schema } from '@/lib/api'
import { judgeName } from '@/lib/judge'

type Step = Schema<'CascadeStepView'>

/** What each judge of a cascade said, in the order in which they were asked. */
export function Cascade({ steps }: { steps: readonly Step[] }) {
  const { t, i18n } = useTranslation('evaluations')
  const { t: ai } = useTranslation('ai')
  const number = (value: number | null, options: Intl.NumberFormatOptions) =>
    value === null ? '–' : new Intl.NumberFormat(i18n.language, options).format(value)
  return (
    <Card aria-label={t('cascade.title')} className="min-w-0">
      <CardTitle>{t('cascade.title')}</CardTitle>
      <DataTable<Step>
        caption={t('cascade.title')}
        rows={steps}
        // A judge that stands in for the last one may have been a step already.
        rowKey={(step) => `${step.judge_model} ${step.decided}`}
        columns={[
          {
            key: 'judge',
            header: t('cascade.judge'),
            cell: (step) => judgeName(ai, step.judge_model),
          },
          {
            key: 'said',
            header: t('cascade.said'),
            cell: ({ confidence, correctness }) =>
              isLevel(confidence)
                ? `${t(`options.confidence.${confidence}`)} · ${number(correctness, { style: 'percent' })}`
                : '–',
          },
          { key: 'role', header: t('cascade.role'), cell: (step) => <Role step={step} /> },
          {
            key: 'cost',
            header: t('cascade.cost'),
            numeric: true,
            cell: (step) =>
              number(step.cost_usd, {
                style: 'currency',
                currency: 'USD',
                maximumSignificantDigits: 3,
              }),
          },
        ]}
      />
    </Card>
  )
}

const LEVELS = ['high', 'medium', 'low'] as const

const isLevel = (name: string | null): name is (typeof LEVELS)[number] =>
  (LEVELS as readonly (string | null)[]).includes(name)

function Role({ step }: { step: Step }) {
  const { t } = useTranslation('evaluations')
  if (step.error !== null) {
    return <span className="text-danger">{t('cascade.failed', { error: step.error })}</span>
  }
  if (step.decided) return <strong>{t('cascade.decided')}</strong>
  return <>{t(step.checked ? 'cascade.checked' : 'cascade.passedOn')}</>
}
