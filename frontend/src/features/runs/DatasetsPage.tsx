import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/PageHeader'

export function DatasetsPage() {
  const { t } = useTranslation('runs')
  return <PageHeader title={t('datasets.title')} lead={t('datasets.lead')} />
}
