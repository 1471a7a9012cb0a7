import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { StateBadge } from '@/components/StateBadge'
import { ErrorState } from '@/components/page'
import { Badge, Card, CardTitle, Select, Spinner, TextLink } from '@/components/ui'
import { type Claim, ClaimBadge } from '@/components/verdict/ClaimList'
import { EvidenceView, type Shown } from '@/components/verdict/EvidenceView'
import { Doubts, GroundingIssues } from '@/components/verdict/Findings'
import { Words } from '@/components/verdict/Section'
import { useJudgePrompts } from '@/hooks/useJudgePrompts'
import { useSources } from '@/hooks/useSources'
import { useVerdict } from '@/hooks/useVerdict'
import type { Schema } from '@/lib/api'
import { moment } from '@/lib/figures'
import { type EvaluationView, isFinal } from '@/lib/verdict'

import { useShippedPrompts } from '../api/prompts'
import { type Trial, usePolicyJudge, useTrials } from '../api/trials'
import { choicesOf } from '../choices'

import { FigureTable } from './FigureTable'
import { PromptForm, RESULT } from './PromptForm'

type TrialVerdict = Schema<'TrialVerdict'>

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
        <TextLink plain to="/playground">
          {t('try.another')}
        </TextLink>
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
        <TextLink plain to={`/evaluations/${view.id}`}>
          {t('try.open')}
        </TextLink>
        <TextLink plain to="/playground">
          {t('try.another')}
        </TextLink>
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

interface Props {
  trials: readonly Trial[]
  trial: Trial
  onChoose: (id: string) => void
}

/** Which of the answer's trials is shown. */
function TrialChoice({ trials, trial, onChoose }: Props) {
  const { t } = useTranslation('playground')
  return (
    <div className="flex flex-wrap items-end justify-between gap-3">
      <CardTitle className="mb-0">{t('result.title')}</CardTitle>
      {trials.length > 1 && (
        <div className="max-w-full">
          <Select
            label={t('result.which')}
            value={trial.id}
            onValue={onChoose}
            options={trials.map((each) => ({
              value: each.id,
              text: `${moment(each.created_at)} · ${each.judge_model} · ${each.prompt}${
                each.instructions === null ? '' : ` ${t('result.edited')}`
              }`,
            }))}
          />
        </div>
      )}
    </div>
  )
}

/** The trial beside the stored verdict, and what it says in full. */
function Comparison({ view, trial }: { view: EvaluationView; trial: Trial }) {
  const { t } = useTranslation('playground')
  const { verdict } = trial
  if (!isFinal(trial.status)) return <Spinner label={t('result.judging')} />
  if (!verdict) {
    return (
      <p role="alert" className="bg-danger-soft text-danger-foreground rounded-md p-3 text-sm">
        {trial.error ?? t('result.cancelled')}
      </p>
    )
  }
  const { claims } = verdict
  return (
    <>
      <p className="text-muted-foreground text-sm">{t('result.apart')}</p>
      <FigureTable view={view} trial={trial} verdict={verdict} />
      <ClaimChanges before={view.feedback?.groundedness?.claims ?? null} after={claims} />
      <TriedEvidence view={view} verdict={verdict} />
    </>
  )
}

/** The answer beside its notes, as the trial judges it. */
function TriedEvidence({ view, verdict }: { view: EvaluationView; verdict: TrialVerdict }) {
  const [shown, setShown] = useState<Shown | null>(null)
  const { data: notes, error, refetch } = useSources(view.id, true)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!notes) return <Spinner />
  const { evaluation, claims, state } = verdict
  const cited = new Map(evaluation.source_coverage.map((each) => [each.note_index, each.cited]))
  return (
    <EvidenceView
      answer={view.answer}
      lang={view.lang}
      groundedness={claims && { claims, source: 'judge' }}
      notes={notes.map((note) => ({ ...note, cited: cited.get(note.note_index) ?? false }))}
      shown={shown}
      onShow={setShown}
      head={<StateBadge verdict={{ ...evaluation, state }} voice="model" />}
      foot={
        <>
          {evaluation.summary && <Words>{evaluation.summary}</Words>}
          {!claims && <GroundingIssues issues={evaluation.grounding_issues} voice="model" />}
          <Doubts flags={evaluation.flags} />
        </>
      }
    />
  )
}

interface ChangedClaim {
  text: string
  /** Null where only the other verdict has the statement. */
  from: Claim | null
  to: Claim | null
  reasoning: string
}

/** A statement by its place in the answer, or by its words where it was not found there. */
const keyOf = ({ start, end, claim }: Claim) =>
  start === null || end === null ? claim : `${start}-${end}`

/** The statements of one answer that two verdicts judge otherwise, in its order. */
export function changedClaims(before: readonly Claim[], after: readonly Claim[]): ChangedClaim[] {
  const old = new Map(before.map((claim) => [keyOf(claim), claim]))
  const fresh = new Set(after.map(keyOf))
  const changed = after
    .filter((claim) => isJudgedOtherwise(claim, old.get(keyOf(claim))))
    .map((claim) => ({
      text: claim.claim,
      from: old.get(keyOf(claim)) ?? null,
      to: claim,
      reasoning: claim.reasoning,
    }))
  const gone = before
    .filter((claim) => !fresh.has(keyOf(claim)))
    .map((claim) => ({ text: claim.claim, from: claim, to: null, reasoning: '' }))
  return [...changed, ...gone]
}

/** Older verdicts know no faults. */
function isJudgedOtherwise(claim: Claim, before: Claim | undefined): boolean {
  if (claim.verdict !== before?.verdict) return true
  return Boolean(before.fault) && claim.fault !== before.fault
}

interface ChangedClaimsProps {
  before: readonly Claim[] | null
  after: readonly Claim[] | null
}

/** The statements that the trial judges otherwise than the stored verdict does. */
function ClaimChanges({ before, after }: ChangedClaimsProps) {
  const { t } = useTranslation('playground')
  if (!before || !after) return <p className="text-sm">{t('changes.notComparable')}</p>
  const changed = changedClaims(before, after)
  return (
    <section className="text-sm">
      <h3 className="mb-1 font-semibold">{t('changes.title', { count: changed.length })}</h3>
      {changed.length === 0 ? (
        <p className="text-muted-foreground">{t('changes.none')}</p>
      ) : (
        <ul className="divide-border grid divide-y">
          {changed.map(({ text, from, to, reasoning }) => (
            <li key={text} className="grid gap-1 py-2">
              <p className="flex flex-wrap items-center gap-1">
                <Judged claim={from} />
                <span aria-hidden>→</span>
                <span className="sr-only">{t('changes.to')}</span>
                <Judged claim={to} />
              </p>
              <p className="break-words">{text}</p>
              {reasoning && <p className="text-muted-foreground">{reasoning}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )

  function Judged({ claim }: { claim: Claim | null }) {
    if (claim === null) return <Badge>{t('changes.notThere')}</Badge>
    return <ClaimBadge claim={claim} source="judge" />
  }
}
