import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/PageHeader'

export function RunsPage() {
  const { t } = useTranslation('runs')
  return <PageHeader title={t('list.title')} lead={t('list.lead')} />
}
