import { useMutation } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, DialogActions, Input, Spinner, TriggeredDialog } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { numbers } from '@/lib/figures'

import { type JudgeChoice, useRejudgeEstimate } from '../api/bulk'

interface Props {
  ids: readonly string[]
  start: (choice: JudgeChoice) => Promise<unknown>
}

/** Has answers judged again, once judge and prompt are chosen and it is said what that takes. */
export function RejudgeDialog({ ids, start, ...look }: Props & ComponentProps<typeof Button>) {
  const { t } = useTranslation('evaluations')
  return (
    <TriggeredDialog
      title={t('bulk.rejudge.title', { count: ids.length })}
      description={t('bulk.rejudge.text')}
      trigger={
        <Button icon={RotateCw} {...look}>
          {t('actions.rejudge')}
        </Button>
      }
    >
      {(close) => (
        <Choice
          ids={ids}
          start={async (choice) => {
            await start(choice)
            close()
          }}
        />
      )}
    </TriggeredDialog>
  )
}

function Choice({ ids, start: send }: Props) {
  const { t } = useTranslation('evaluations')
  const [choice, setChoice] = useState<JudgeChoice>({ judge: '', prompt: '' })
  const estimate = useRejudgeEstimate(ids, choice)
  const start = useMutation({ mutationFn: send })
  const take = (changes: Partial<JudgeChoice>) => {
    start.reset()
    setChoice({ ...choice, ...changes })
  }
  return (
    <div className="grid gap-4">
      {(['judge', 'prompt'] as const).map((name) => (
        <Input
          key={name}
          label={t(`bulk.rejudge.${name}`)}
          hint={t(`bulk.rejudge.${name}Hint`)}
          maxLength={200}
          verbatim
          onBlur={({ target }) => take({ [name]: target.value.trim() })}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Enter') take({ [name]: currentTarget.value.trim() })
          }}
        />
      ))}
      <div role="status" className="min-h-24">
        {estimate.isPending && <Spinner />}
        {estimate.data && <RejudgeEstimate selected={ids.length} estimate={estimate.data} />}
      </div>
      {estimate.isError && <ErrorState error={estimate.error} />}
      {start.isError && <ErrorState error={start.error} />}
      <DialogActions
        type="button"
        disabled={!estimate.data?.to_judge || start.isPending}
        onClick={() => start.mutate(choice)}
      >
        {t('bulk.rejudge.start', { count: estimate.data?.to_judge ?? 0 })}
      </DialogActions>
    </div>
  )
}

const aboutDollars = numbers({ style: 'currency', currency: 'USD', maximumSignificantDigits: 2 })

interface RejudgeEstimateProps {
  /** How many evaluations are selected; several may be of one answer. */
  selected: number
  estimate: Schema<'RejudgeEstimate'>
}

/** What judging again takes, and which of the selected answers are left out, and why. */
function RejudgeEstimate({ selected, estimate }: RejudgeEstimateProps) {
  const { t } = useTranslation('evaluations')
  const { to_judge, judged, not_judged, matching, calls, judge_model, prompt } = estimate
  const cost = estimate.bulk_by === 'batch' ? estimate.batch_cost_usd : estimate.cost_usd
  const leftOut = [
    ['judged', judged],
    ['notJudged', not_judged],
    ['notFinal', Math.max(0, selected - matching)],
  ] as const
  return (
    <div className="grid gap-2 text-sm">
      <p className="font-semibold">
        {t('bulk.rejudge.count', { count: to_judge })}{' '}
        <span className="font-mono font-normal wrap-anywhere">
          {prompt ? `${judge_model} · ${prompt}` : judge_model}
        </span>
      </p>
      {to_judge > 0 && (
        <p>
          {t('bulk.rejudge.calls', { count: calls })}
          {' · '}
          {cost === null
            ? t('bulk.rejudge.unpriced')
            : t('bulk.rejudge.cost', { cost: aboutDollars(cost) })}
        </p>
      )}
      <ul className="text-muted-foreground list-disc pl-5">
        {leftOut.map(
          ([why, count]) => count > 0 && <li key={why}>{t(`bulk.rejudge.${why}`, { count })}</li>,
        )}
      </ul>
    </div>
  )
}
