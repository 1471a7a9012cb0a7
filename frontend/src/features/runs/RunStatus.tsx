import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'

import type { Run } from './api/runs'

const VARIANTS = {
  pending: 'neutral',
  running: 'info',
  completed: 'success',
  failed: 'danger',
  cancelled: 'warning',
} as const

export function RunStatus({ status }: Pick<Run, 'status'>) {
  const { t } = useTranslation('runs')
  return <Badge variant={VARIANTS[status]}>{t(`status.${status}`)}</Badge>
}
