import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/PageHeader'

export function EvaluationPage() {
  const { t } = useTranslation('evaluations')
  return <PageHeader title={t('detail.title')} />
}
