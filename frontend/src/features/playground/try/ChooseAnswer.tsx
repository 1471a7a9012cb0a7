import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { EmptyState, ErrorState } from '@/components/page'
import { Card, CardTitle, Spinner } from '@/components/ui'
import { moment } from '@/lib/figures'

import { useLatest } from '../api/trials'

/** The latest answers, of which one is tried. */
export function ChooseAnswer() {
  const { t } = useTranslation('playground')
  const { data: latest, error, refetch } = useLatest()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!latest) return <Spinner />
  if (latest.length === 0) {
    return (
      <EmptyState title={t('choose.none')} text={t('choose.noneText')}>
        <Link to="/" className="underline underline-offset-2">
          {t('choose.ask')}
        </Link>
      </EmptyState>
    )
  }
  return (
    <Card className="min-w-0">
      <CardTitle>{t('choose.title')}</CardTitle>
      <p className="text-muted-foreground mb-3 text-sm">{t('choose.text')}</p>
      <ul className="divide-border divide-y">
        {latest.map(({ id, question, created_at }) => (
          <li key={id} className="grid gap-1 py-2">
            <Link
              to={`?evaluation=${id}`}
              className="text-primary line-clamp-2 break-words underline underline-offset-2"
            >
              {question}
            </Link>
            <span className="text-muted-foreground text-xs whitespace-nowrap">
              {moment(created_at)}
            </span>
          </li>
        ))}
      </ul>
      <Link to="/evaluations" className="mt-3 inline-block text-sm underline underline-offset-2">
        {t('choose.all')}
      </Link>
    </Card>
  )
}
