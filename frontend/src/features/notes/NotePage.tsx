import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/PageHeader'

export function NotePage() {
  const { t } = useTranslation('notes')
  return <PageHeader title={t('detail.title')} />
}
