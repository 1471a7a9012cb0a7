import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/PageHeader'

export function WorkbenchPage() {
  const { t } = useTranslation('chat')
  return <PageHeader title={t('title')} lead={t('lead')} />
}
