import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'
import type { Schema } from '@/lib/api'

/** Whether a person has looked at the questions. */
export function ReviewState({ review }: Pick<Schema<'DatasetView'>, 'review'>) {
  const { t } = useTranslation('runs')
  if (review === 'proposed') return <Badge variant="warning">{t('datasets.proposed')}</Badge>
  if (review === 'accepted') return <Badge variant="success">{t('datasets.accepted')}</Badge>
  return <Badge>{t('datasets.brought')}</Badge>
}
