import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { ErrorState } from '@/components/page'
import { Button, Card, CardTitle, Spinner } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { useDraw, useSampled } from './api/review'

const SIZE = 200

/** How far the labelling of answers drawn at random has come. */
export function SampleCard() {
  const { t } = useTranslation('evaluations')
  const { data: found, error, isPending, refetch } = useSampled()
  const draw = useDraw(SIZE)
  return (
    <Card aria-label={t('sample.title')}>
      <CardTitle>{t('sample.title')}</CardTitle>
      <p className="text-muted-foreground mb-2 text-sm">{t('sample.lead')}</p>
      {isPending && <Spinner />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {found && <Sampled found={found} />}
      {draw.error && <ErrorState error={draw.error} />}
      {found?.queue.length === 0 && (
        <Button
          variant="outline"
          className="mt-2"
          disabled={draw.isPending}
          onClick={() => draw.mutate()}
        >
          {t('sample.draw', { size: SIZE })}
        </Button>
      )}
    </Card>
  )
}

function Sampled({ found }: { found: Schema<'DrawnQueue'> }) {
  const { t } = useTranslation('evaluations')
  const { queue, drawn, labelled } = found
  if (drawn === 0) return <p className="text-sm">{t('sample.none')}</p>
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="text-sm">
        {queue.length > 0 ? t('sample.progress', { drawn, labelled }) : t('sample.done')}
      </p>
      {queue.length > 0 && (
        <Button asChild variant="outline">
          <Link to="/label">{t('sample.start')}</Link>
        </Button>
      )}
    </div>
  )
}
