import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/PageHeader'

export function QualityPage() {
  const { t } = useTranslation('quality')
  return <PageHeader title={t('title')} lead={t('lead')} />
}
