import { CircleSlash, CircleX, Clock, LoaderCircle, PauseCircle, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { ConfidenceBadge } from '@/components/ConfidenceBadge'
import { QualityBadge, summaryOf } from '@/components/QualityBadge'
import { voiceOf } from '@/lib/judge'
import type { Verdict } from '@/lib/verdict'

import { GuaranteeNote } from './GuaranteeNote'
import { JudgeNote } from './JudgeNote'
import { UnjudgedNote } from './UnjudgedNote'
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

/** The life of a verdict in a line: waiting, judging, then how far the answer can be trusted and by
 * whose judgement, or why nobody knows. */
export function VerdictStatus({ verdict }: { verdict: Verdict }) {
  const { t, i18n } = useTranslation('ai')
  const { status, qa_evaluation: evaluation, quality, error } = verdict
  const instead = verdict.fallback_because
  const judged = status === 'succeeded'
  const why = error ?? instead
  const Icon = verdict.reason === 'judge_paused' ? PauseCircle : ICONS[status]
  return (
    <div className="grid gap-1 text-sm" data-status={status}>
      <div className="flex flex-wrap items-center gap-2">
        {judged && evaluation ? (
          <ConfidenceBadge confidence={evaluation.confidence} voice={voiceOf(verdict)} />
        ) : (
          <p className="text-muted-foreground inline-flex items-center gap-2">
            {Icon && (
              <Icon
                aria-hidden
                className={
                  status === 'running' ? 'size-4 shrink-0 animate-spin' : 'size-4 shrink-0'
                }
              />
            )}
            {statusText(verdict, t, i18n.language)}
          </p>
        )}
        {judged && quality && <QualityBadge quality={summaryOf(quality)} />}
        {judged && !verdict.degraded && instead !== null && (
          <p className="text-warning-foreground bg-warning-soft rounded px-2 py-0.5 text-xs">
            {t('status.insteadJudged')}
          </p>
        )}
      </div>
      {judged && <JudgeNote verdict={verdict} />}
      {judged && evaluation && <GuaranteeNote evaluation={evaluation} />}
      {judged && evaluation && <UnjudgedNote evaluation={evaluation} />}
      {why !== null && (
        <details className="text-muted-foreground text-xs">
          <summary>{t('status.why')}</summary>
          <p lang="en" className="mt-1">
            {why}
          </p>
        </details>
      )}
    </div>
  )
}
