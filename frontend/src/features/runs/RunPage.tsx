import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/PageHeader'

export function RunPage() {
  const { t } = useTranslation('runs')
  return <PageHeader title={t('detail.title')} />
}
