import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { EmptyState, ErrorState } from '@/components/page'
import { Button } from '@/components/ui'

import { useSampleNotes } from './conversations'

/** Where there are no notes to ask: the ways to some. */
export function FirstNotes() {
  const { t } = useTranslation('chat')
  const { mutate, isPending, error } = useSampleNotes()
  return (
    <EmptyState title={t('first.title')} text={t('first.text')}>
      <div className="flex flex-wrap justify-center gap-2">
        <Button disabled={isPending} onClick={() => mutate()}>
          {t('first.samples')}
        </Button>
        <Button asChild variant="outline">
          <Link to="/notes">{t('first.own')}</Link>
        </Button>
      </div>
      {error && <ErrorState error={error} />}
    </EmptyState>
  )
}
