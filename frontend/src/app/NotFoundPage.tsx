import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/page'
import { ButtonLink } from '@/components/ui'

export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t('notFound.title')} lead={t('notFound.text')} />
      <ButtonLink variant="primary" to="/">
        {t('notFound.home')}
      </ButtonLink>
    </>
  )
}
