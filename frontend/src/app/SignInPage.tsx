import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/page'
import { Button, Card } from '@/components/ui'
import { setSignedOut } from '@/lib/session'

/** Shown when the API asks who this is. Only the operator's machine can make a login link. */
export function SignInPage() {
  const { t } = useTranslation()
  const queries = useQueryClient()

  async function goOn() {
    await queries.resetQueries()
    setSignedOut(false)
  }

  return (
    <>
      <PageHeader title={t('signIn.title')} />
      <Card className="grid max-w-xl justify-items-start gap-3">
        <p>{t('signIn.text')}</p>
        <Command>searchqa login</Command>
        <p>{t('signIn.docker')}</p>
        <Command>docker compose exec api searchqa login</Command>
        <Button onClick={() => void goOn()}>{t('signIn.retry')}</Button>
      </Card>
    </>
  )
}

function Command({ children }: { children: string }) {
  return <code className="bg-muted rounded-md px-3 py-2 font-mono text-sm">{children}</code>
}
