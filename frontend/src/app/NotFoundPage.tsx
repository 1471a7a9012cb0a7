import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { PageHeader } from '@/components/page'
import { Button } from '@/components/ui'

export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t('notFound.title')} lead={t('notFound.text')} />
      <Button asChild>
        <Link to="/">{t('notFound.home')}</Link>
      </Button>
    </>
  )
}
