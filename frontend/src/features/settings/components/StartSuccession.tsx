import { Replace } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { RequestForm } from '@/components/page'
import { Button, Input, Select, TriggeredDialog } from '@/components/ui'
import { useStartSuccession, useSuccessionEstimate } from '@/hooks/successions'
import { dollars, integer } from '@/lib/figures'
import { toast } from '@/lib/toast'

import { type Policy, usePolicy } from '../api/policy'

import { ModelsField } from './ModelsField'

const MAX_ANSWERS = 2000

function judgesOf(policy: Policy | undefined): string[] {
  const { judge_model, fallback_models, cascade, jury } = policy ?? {}
  const named = [judge_model, fallback_models, cascade, jury].flat()
  return [...new Set(named.filter((judge): judge is string => typeof judge === 'string'))]
}

/** A dialog that compares a judge of the policy with another; nothing where the policy has no
 * such judge. */
export function StartSuccession({ of }: { of?: string }) {
  const { t } = useTranslation('settings')
  const judges = judgesOf(usePolicy().data?.effective)
  if (judges.length === 0 || (of !== undefined && !judges.includes(of))) return null
  return (
    <TriggeredDialog
      title={t('judges.succession.title')}
      description={t('judges.succession.lead')}
      trigger={
        <Button size="sm" icon={Replace} className="justify-self-start">
          {t(of === undefined ? 'judges.succession.compare' : 'judges.succession.choose')}
        </Button>
      }
    >
      {(close) => <SuccessionForm judges={judges} of={of} close={close} />}
    </TriggeredDialog>
  )
}

interface Props {
  judges: string[]
  of: string | undefined
  close: () => void
}

/** First says what the comparison would take, then starts it. */
function SuccessionForm({ judges, of, close }: Props) {
  const { t } = useTranslation('settings')
  const estimate = useSuccessionEstimate()
  const start = useStartSuccession()
  const [old, setOld] = useState(of ?? judges[0] ?? '')
  const [successor, setSuccessor] = useState('')
  const [answers, setAnswers] = useState('200')
  const [budget, setBudget] = useState('')

  const answersFit = /^[1-9]\d*$/.test(answers) && Number(answers) <= MAX_ANSWERS
  const budgetFits = budget === '' || Number(budget) > 0
  const fits = successor.trim() !== '' && answersFit && budgetFits
  const request = {
    old,
    new: successor.trim(),
    answers: Number(answers),
    seed: 0,
    max_cost_usd: budget === '' ? null : Number(budget),
  }
  /** Another choice may cost something else. */
  const choose = (set: (value: string) => void) => (value: string) => {
    set(value)
    estimate.reset()
    start.reset()
  }
  const submit = () => {
    if (!fits) return
    if (!estimate.data) {
      estimate.mutate(request)
      return
    }
    start.mutate(request, {
      onSuccess: () => {
        toast(t('judges.succession.started'), 'success')
        close()
      },
    })
  }
  const { data: known } = estimate
  const isPending = estimate.isPending || start.isPending
  return (
    <RequestForm
      request={{ error: start.error ?? estimate.error, isPending }}
      action={t(known ? 'judges.succession.start' : 'judges.succession.price')}
      disabled={!fits}
      onSubmit={submit}
      noValidate
    >
      <Select
        label={t('judges.succession.old')}
        value={old}
        onValue={choose(setOld)}
        options={judges.map((judge) => ({ value: judge, text: judge }))}
      />
      <ModelsField
        label={t('judges.succession.new')}
        placeholder="provider:model"
        value={successor}
        onChange={choose(setSuccessor)}
      />
      <Input
        label={t('judges.succession.answers')}
        hint={t('judges.succession.answersHint')}
        error={answersFit ? undefined : t('judges.succession.answersRange')}
        inputMode="numeric"
        value={answers}
        onValue={choose(setAnswers)}
      />
      <Input
        label={t('judges.succession.budget')}
        error={budgetFits ? undefined : t('judges.succession.budgetRange')}
        inputMode="decimal"
        value={budget}
        onValue={choose(setBudget)}
      />
      {known && (
        <p role="status" className="bg-muted rounded-lg p-3 text-sm">
          {t('judges.succession.estimate', {
            answers: integer(known.answers),
            labelled: integer(known.labelled),
            calls: integer(known.calls),
            cost:
              known.cost_usd === null ? t('judges.succession.unpriced') : dollars(known.cost_usd),
          })}
          {known.too_dear > 0 &&
            ` ${t('judges.succession.tooDear', { answers: integer(known.too_dear) })}`}
        </p>
      )}
    </RequestForm>
  )
}
