import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import { errorMessage } from '@/lib/errorMessage'

import type { Entry, LabelSession } from './labelSession'

interface Props {
  session: LabelSession
  entries: readonly Entry[]
}

/** Which labels the server does not have, and why; they are kept until it does. */
export function Unsaved({ session, entries }: Props) {
  const { t } = useTranslation('evaluations')
  const { t: common } = useTranslation()
  const failed = entries.filter(({ error }) => error !== null)
  const [first] = failed
  if (!first) return null
  return (
    <div
      role="alert"
      className="bg-danger-soft text-danger-foreground flex flex-wrap items-center justify-between gap-2 rounded-md p-3 text-sm"
    >
      <p>
        <strong>{t('label.unsaved', { count: failed.length })}</strong>{' '}
        {errorMessage(first.error, common)} {t('label.unsavedKept')}
      </p>
      <Button variant="outline" size="sm" onClick={() => session.store()}>
        {common('retry')}
      </Button>
    </div>
  )
}
