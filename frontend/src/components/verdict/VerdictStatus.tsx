import {
  CircleSlash,
  CircleX,
  ClipboardCheck,
  ClipboardX,
  Clock,
  LoaderCircle,
  PauseCircle,
  TriangleAlert,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { cn } from '@/lib/cn'
import { percent } from '@/lib/figures'
import { guaranteeLine } from '@/lib/guarantee'
import { judgeOf, listsFindings, loweredLine, outcomeOf, voiceOf } from '@/lib/judge'
import { currentLocale } from '@/lib/language'
import { judgeName } from '@/lib/names'
import { unjudged } from '@/lib/unjudged'
import type { Verdict } from '@/lib/verdict'

import { StateBadge } from '../StateBadge'

import { RulesFinding } from './RulesFinding'
import { statusText } from './statusText'

const ICONS = {
  queued: Clock,
  running: LoaderCircle,
  retrying: Clock,
  succeeded: null,
  failed: CircleX,
  skipped: CircleSlash,
  not_stored: TriangleAlert,
}

/** The life of a verdict in a line: waiting, judging, then how far the answer can be trusted, or why
 * nobody knows. */
export function VerdictLine({ verdict }: { verdict: Verdict }) {
  const { status, qa_evaluation: evaluation } = verdict
  if (status === 'succeeded' && evaluation) {
    return <StateBadge verdict={evaluation} voice={voiceOf(verdict)} />
  }
  const Icon = verdict.reason === 'judge_paused' ? PauseCircle : ICONS[status]
  return (
    <span className="text-muted-foreground inline-flex items-center gap-2">
      {Icon && (
        <Icon
          aria-hidden
          className={cn('size-4 shrink-0', status === 'running' && 'animate-spin')}
        />
      )}
      {statusText(verdict)}
    </span>
  )
}

/** By whose judgement, from what, and what is not sure about it. */
export function VerdictNotes({ verdict }: { verdict: Verdict }) {
  const { t } = useTranslation('ai')
  const { status, qa_evaluation: evaluation, quality, error } = verdict
  const instead = verdict.fallback_because
  const judged = status === 'succeeded'
  const why = error ?? instead
  const outcome = evaluation && outcomeOf(evaluation, voiceOf(verdict))
  return (
    <>
      {judged && quality && listsFindings(outcome) && (
        <p>
          <QualityBadge quality={summaryOf(quality)} />
        </p>
      )}
      {judged && !verdict.degraded && instead !== null && (
        <p className="text-warning-foreground">{t('verdict.insteadJudged')}</p>
      )}
      {judged && <JudgeNote verdict={verdict} />}
      {judged && evaluation && <GuaranteeNote evaluation={evaluation} />}
      {judged && evaluation && <UnjudgedNote evaluation={evaluation} />}
      {why !== null && (
        <details className="text-muted-foreground text-xs">
          <summary>{t('verdict.why')}</summary>
          <p lang="en" className="mt-1">
            {why}
          </p>
        </details>
      )}
    </>
  )
}

/** All of it. */
export function VerdictStatus({ verdict }: { verdict: Verdict }) {
  return (
    <div className="grid justify-items-start gap-1 text-sm" data-status={verdict.status}>
      <VerdictLine verdict={verdict} />
      <RulesFinding verdict={verdict} />
      <VerdictNotes verdict={verdict} />
    </div>
  )
}

/** Who judged, and what such a judge cannot know. */
function JudgeNote({ verdict }: { verdict: Verdict }) {
  const { t } = useTranslation('ai')
  const judge = judgeOf(verdict)
  const voice = voiceOf(verdict)
  const lowered = verdict.qa_evaluation && loweredLine(verdict.qa_evaluation)
  if (judge === undefined) return null
  return (
    <div className="text-muted-foreground grid gap-1 text-xs">
      <p>{t('judgedBy', { judge: judgeName(judge) })}</p>
      {voice !== 'model' && <p>{t(`limits.${voice}`)}</p>}
      {lowered && <p>{t(lowered)}</p>}
    </div>
  )
}

/** What of the answer or its notes was not judged, and why such a verdict is never sure. */
function UnjudgedNote({ evaluation }: { evaluation: Schema<'SearchQAEvaluationView'> }) {
  const { t, i18n } = useTranslation('ai')
  const lines = unjudged(evaluation, i18n.language)
  if (lines.length === 0) return null
  return (
    <p className={evaluation.outcome ? 'text-muted-foreground' : 'text-warning-foreground'}>
      {lines.map(({ key, values }) => t(key, values)).join(' ')}
    </p>
  )
}

interface GuaranteeNoteProps {
  evaluation: Schema<'SearchQAEvaluationView'>
}

/** What people's labels promise of such a verdict, and the chance that they find it right. */
function GuaranteeNote({ evaluation: { guarantee, probability, outcome } }: GuaranteeNoteProps) {
  const { t } = useTranslation('ai')
  const line = guaranteeLine(guarantee, currentLocale())
  return (
    <div className="text-muted-foreground grid gap-1 text-xs empty:hidden">
      {line && <p>{t(line.key, line.values)}</p>}
      {probability !== null && !outcome && (
        <p>{t('probability', { share: percent(probability) })}</p>
      )}
    </div>
  )
}

/** Whether the answer passes the checklist, and how many of its items it meets. */
export function QualityBadge({ quality }: { quality: Schema<'QualitySummary'> }) {
  const { t } = useTranslation('ai')
  const { passed, met, items, source } = quality
  const byRules = source === 'rules'
  const [good, bad] = byRules
    ? (['outline', 'outline'] as const)
    : (['success', 'warning'] as const)
  const Icon = passed ? ClipboardCheck : ClipboardX
  return (
    <Badge variant={passed ? good : bad}>
      <Icon aria-hidden />
      {t(`checklistIs.${source}.${passed ? 'passed' : 'failed'}`, { met, items })}
    </Badge>
  )
}

/** The checklist in short. */
function summaryOf(quality: Schema<'QualityResultView'>): Schema<'QualitySummary'> {
  const { passed, items, source } = quality
  return { passed, source, items: items.length, met: items.filter((item) => item.passed).length }
}
