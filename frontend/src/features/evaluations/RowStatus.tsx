import { useTranslation } from 'react-i18next'

import { ConfidenceBadge, type Confidence } from '@/components/ConfidenceBadge'
import { Badge } from '@/components/ui/badge'

import type { EvaluationRow } from './api/list'

const VARIANTS = {
  queued: 'neutral',
  running: 'info',
  retrying: 'warning',
  succeeded: 'success',
  failed: 'danger',
  skipped: 'neutral',
} as const

/** Where a verdict stands: its confidence once there is one. */
export function RowStatus({ row }: { row: EvaluationRow }) {
  const { t } = useTranslation('evaluations')
  const { status, confidence, degraded, is_current: current } = row
  return (
    <span className="flex flex-wrap gap-1">
      {status === 'succeeded' && confidence ? (
        <ConfidenceBadge confidence={confidence as Confidence} />
      ) : (
        <Badge variant={VARIANTS[status]}>{t(`options.status.${status}`)}</Badge>
      )}
      {degraded && <Badge variant="warning">{t('degraded')}</Badge>}
      {!current && <Badge>{t('older')}</Badge>}
    </span>
  )
}
