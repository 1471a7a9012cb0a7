import { useTranslation } from 'react-i18next'

import { Badge, Card, CardTitle } from '@/components/ui'
import type { Claim } from '@/components/verdict/ClaimList'
import { ImproveAnswer } from '@/components/verdict/ImproveAnswer'
import { RefinementReport } from '@/components/verdict/RefinementReport'
import { RulesFinding } from '@/components/verdict/RulesFinding'
import type { OpenNote } from '@/components/verdict/SourceList'
import { VerdictProgress } from '@/components/verdict/VerdictProgress'
import { VerdictWhy } from '@/components/verdict/VerdictWhy'
import { type Label, useFeedback, useSaveFeedback } from '@/hooks/useFeedback'
import { useWho } from '@/hooks/workspace'
import { percent } from '@/lib/figures'
import { judgeOf } from '@/lib/judge'
import { judgeName } from '@/lib/names'
import { toastError } from '@/lib/toast'
import type { EvaluationView } from '@/lib/verdict'

import { LabelButtons } from './LabelButtons'

/** What the judge says, claim by claim, each to be confirmed or contradicted. */
export function VerdictCard({ view, onOpenNote }: { view: EvaluationView; onOpenNote: OpenNote }) {
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

const LOW = 0.34
const HIGH = 0.66

/** What the verdict says by the workspace's own criteria; nothing where there is none. */
function Criteria({ scores }: { scores: EvaluationView['criteria'] }) {
  const { t } = useTranslation('evaluations')
  if (scores.length === 0) return null
  const toneOf = (value: number) => (value < LOW ? 'danger' : value < HIGH ? 'warning' : 'success')
  return (
    <section aria-label={t('criteria.title')} className="grid gap-2 text-sm">
      <h3 className="font-semibold">{t('criteria.title')}</h3>
      <ul className="grid gap-2">
        {scores.map(({ name, version, value, label, reasoning, source }) => (
          <li key={name} className="grid gap-1">
            <span className="flex flex-wrap items-center gap-2 break-all">
              <span title={t('criteria.version', { version })}>{name}</span>
              {value === null ? (
                <Badge>{t('criteria.unscored')}</Badge>
              ) : (
                <Badge variant={toneOf(value)}>
                  {label ??
                    (source === 'rules'
                      ? t(value === 1 ? 'criteria.met' : 'criteria.unmet')
                      : percent(value))}
                </Badge>
              )}
            </span>
            {reasoning && <span className="text-muted-foreground">{reasoning}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
