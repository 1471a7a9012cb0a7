import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/PageHeader'

export function SettingsPage() {
  const { t } = useTranslation('settings')
  return <PageHeader title={t('title')} lead={t('lead')} />
}
