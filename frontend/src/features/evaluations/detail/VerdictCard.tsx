import { useTranslation } from 'react-i18next'

import { Card, CardTitle } from '@/components/ui'
import type { Claim } from '@/components/verdict/ClaimList'
import { ImproveAnswer } from '@/components/verdict/ImproveAnswer'
import { RefinementReport } from '@/components/verdict/RefinementReport'
import { RulesFinding } from '@/components/verdict/RulesFinding'
import type { OpenNote } from '@/components/verdict/SourceList'
import { VerdictProgress } from '@/components/verdict/VerdictProgress'
import { VerdictWhy } from '@/components/verdict/VerdictWhy'
import { type Label, useFeedback, useSaveFeedback } from '@/hooks/useFeedback'
import { useWho } from '@/hooks/workspace'
import { judgeOf } from '@/lib/judge'
import { judgeName } from '@/lib/names'
import { toastError } from '@/lib/toast'
import type { EvaluationView } from '@/lib/verdict'

import { Criteria } from './Criteria'
import { LabelButtons } from './LabelButtons'

interface Props {
  view: EvaluationView
  onOpenNote: OpenNote
}

/** What the judge says, claim by claim, each to be confirmed or contradicted. */
export function VerdictCard({ view, onOpenNote }: Props) {
  const { t } = useTranslation(['evaluations', 'ai'])
  const { refinement } = view
  // The judge who judged stands above it.
  const isNamed = view.status === 'succeeded' && judgeOf(view) === view.judge_model
  const madeBy = [
    !isNamed && `${t('detail.judge')}: ${judgeName(view.judge_model)}`,
    view.prompt_version,
    view.from_cache && t('detail.fromCache'),
  ]
  return (
    <Card className="grid content-start gap-4">
      <CardTitle className="mb-0">{t('detail.verdict')}</CardTitle>
      <VerdictWhy
        verdict={view}
        onOpenNote={onOpenNote}
        withoutSources
        belowClaim={(claim) => <ClaimFeedback id={view.id} claim={claim} />}
      >
        <Criteria scores={view.criteria} />
        <p className="text-muted-foreground text-xs">{madeBy.filter(Boolean).join(' · ')}</p>
      </VerdictWhy>
      <RulesFinding verdict={view} besideEvidence />
      <VerdictProgress verdict={view} />
      <ImproveAnswer verdict={view} refinement={refinement} />
      {refinement && <RefinementReport refinement={refinement} />}
    </Card>
  )
}

/** What people say of one claim: whether it is true to the notes. */
function ClaimFeedback({ id, claim }: { id: string; claim: Claim }) {
  const { t } = useTranslation('evaluations')
  const { data: all = [] } = useFeedback(id)
  const { data: who } = useWho()
  const { mutate, isPending } = useSaveFeedback(id)
  const said = all.filter(({ claim_position: position }) => position === claim.position)
  const counts: Partial<Record<Label, number>> = {}
  for (const { label } of said) counts[label] = (counts[label] ?? 0) + 1
  // Whoever says nothing else speaks as the token.
  const chosen = said.find(({ author }) => author === who?.token)?.label ?? null
  return (
    <LabelButtons
      name={t('feedback.ofClaim', { claim: claim.claim })}
      chosen={chosen}
      counts={counts}
      disabled={isPending}
      onChoose={(label) =>
        mutate({ label, claim_position: claim.position }, { onError: toastError })
      }
    />
  )
}
