import { useTranslation } from 'react-i18next'

import { ConfidenceBadge } from '@/components/ConfidenceBadge'
import { QualityBadge } from '@/components/QualityBadge'
import { Badge } from '@/components/ui'
import type { Confidence } from '@/lib/badgeLook'
import { listsFindings, voiceOf } from '@/lib/judge'

import type { EvaluationRow } from './api/list'

const VARIANTS = {
  queued: 'neutral',
  running: 'info',
  retrying: 'warning',
  succeeded: 'success',
  failed: 'danger',
  skipped: 'neutral',
} as const

/** Where a verdict stands: its confidence and its checklist once there are any. */
export function RowStatus({ row }: { row: EvaluationRow }) {
  const { t } = useTranslation('evaluations')
  const { status, confidence, quality, degraded, is_current: current } = row
  const judged = status === 'succeeded'
  return (
    <span className="inline-flex gap-1">
      {judged && confidence ? (
        <ConfidenceBadge
          found={{ confidence: confidence as Confidence, outcome: row.outcome }}
          voice={voiceOf(row)}
        />
      ) : (
        <Badge variant={VARIANTS[status]}>{t(`options.status.${status}`)}</Badge>
      )}
      {quality && listsFindings(row.outcome) && <QualityBadge quality={quality} />}
      {degraded && !confidence && <Badge variant="warning">{t('degraded')}</Badge>}
      {!current && <Badge>{t('older')}</Badge>}
    </span>
  )
}
