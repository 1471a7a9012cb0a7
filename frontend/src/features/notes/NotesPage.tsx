import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/PageHeader'

export function NotesPage() {
  const { t } = useTranslation('notes')
  return <PageHeader title={t('title')} lead={t('lead')} />
}
