import type { Schema } from './api'
import type { EvaluationView } from './verdict'

type Evaluation = Schema<'ReaderEvaluation'>
export type JudgedBy = NonNullable<EvaluationView['judged_by']>
/** Who speaks in a verdict: a model that reads, a local detector, rules, or rules in place of a
 * model that failed. */
export type Voice = JudgedBy | 'degraded'

export function voiceOf(verdict: Pick<EvaluationView, 'judged_by' | 'degraded'>): Voice {
  return verdict.degraded ? 'degraded' : (verdict.judged_by ?? 'model')
}

/** What rules conclude, and whether an answer that says that the notes do not say is right; null of
 * other answers that rules did not judge. */
export function outcomeOf({ outcome }: Pick<Partial<Evaluation>, 'outcome'>, voice: Voice) {
  if (voice === 'rules' || voice === 'degraded') return outcome ?? 'undecided'
  return outcome?.endsWith('refused') ? outcome : null
}

/** The claims that stand behind a verdict; none where it could not tell, or the notes have no answer. */
export function groundednessOf(verdict: Judged | null | undefined) {
  const evaluation = verdict?.qa_evaluation
  if (!evaluation || !listsFindings(outcomeOf(evaluation, voiceOf(verdict)))) return null
  return verdict.feedback?.groundedness
}

type Judged = Pick<EvaluationView, 'judged_by' | 'degraded' | 'qa_evaluation' | 'feedback'>

/** Whether findings stand behind the outcome. Where rules cannot tell, or the notes have no answer,
 * nothing is held against the answer. */
export function listsFindings(outcome: ReturnType<typeof outcomeOf>): boolean {
  return outcome !== 'undecided' && outcome !== 'rightly_refused'
}

interface Judges {
  provider: string | null
  model: string | null
  judge_model?: string
}

/** `provider:model` of who gave the verdict; until there is one, of who was asked for it. */
export function judgeOf({ provider, model, judge_model: asked }: Judges): string | undefined {
  return provider !== null && model !== null ? `${provider}:${model}` : asked
}

const LOWERED = {
  below_guarantee: 'loweredBelowGuarantee',
  prompt_unproven: 'loweredPromptUnproven',
  checklist_not_passed: 'loweredChecklist',
} as const

/** Why the confidence was lowered: below the score that the judge's guarantee needs, by a prompt
 * that has none, or because the verdict contradicts itself. Nothing where no confidence is shown. */
export function loweredLine({
  flags = [],
  outcome,
}: {
  flags?: string[]
  outcome?: string | null
}) {
  if (outcome) return null
  const reason = flags.find((flag) => flag.startsWith('confidence_lowered:'))?.split(':')[1]
  if (reason === undefined) return null
  return reason in LOWERED ? LOWERED[reason as keyof typeof LOWERED] : 'lowered'
}
