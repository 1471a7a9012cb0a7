import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'

import { ErrorState, PageHeader } from '@/components/page'
import { Button, ButtonLink } from '@/components/ui'

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

/** In place of a page that threw, or whose code is gone because the server was updated. */
export function BrokenPage() {
  const { t } = useTranslation()
  const error = useRouteError()
  return (
    <>
      <PageHeader title={t('error.title')} />
      <div className="grid justify-items-start gap-4">
        <ErrorState error={error instanceof TypeError ? null : error} />
        <Button variant="primary" onClick={() => window.location.reload()}>
          {t('error.reload')}
        </Button>
      </div>
    </>
  )
}
