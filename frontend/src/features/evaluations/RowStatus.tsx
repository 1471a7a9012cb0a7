import { useTranslation } from 'react-i18next'

import { StateBadge } from '@/components/StateBadge'
import { Badge } from '@/components/ui'
import type { Confidence } from '@/lib/answerState'
import { voiceOf } from '@/lib/judge'

import type { EvaluationRow } from './api/list'

const VARIANTS = {
  queued: 'neutral',
  running: 'info',
  retrying: 'warning',
  succeeded: 'success',
  failed: 'danger',
  skipped: 'neutral',
} as const

/** Where a verdict stands, and what it says once it is there. */
export function RowStatus({ row }: { row: EvaluationRow }) {
  const { t } = useTranslation('evaluations')
  const { status, state, confidence, outcome, degraded, is_current: current } = row
  return (
    // In one line.
    <span className="inline-flex gap-1 [&_span]:flex-nowrap [&_span]:whitespace-nowrap!">
      {status === 'succeeded' && state ? (
        <StateBadge
          verdict={{ state, outcome, confidence: confidence as Confidence }}
          voice={voiceOf(row)}
        />
      ) : (
        <Badge variant={VARIANTS[status]}>{t(`options.status.${status}`)}</Badge>
      )}
      {degraded && !state && <Badge variant="warning">{t('degraded')}</Badge>}
      {!current && <Badge>{t('older')}</Badge>}
    </span>
  )
}
