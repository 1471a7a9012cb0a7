import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/PageHeader'

export function EvaluationsPage() {
  const { t } = useTranslation('evaluations')
  return <PageHeader title={t('title')} lead={t('lead')} />
}
