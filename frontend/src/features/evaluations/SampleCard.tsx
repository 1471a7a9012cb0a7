import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { ErrorState } from '@/components/ErrorState'
import { Button } from '@/components/ui/button'
import { Card, CardTitle } from '@/components/ui/card'
import { Spinner } from '@/components/ui/spinner'
import type { Schema } from '@/lib/api'

import { useDraw, useSampled } from './api/sample'

const SIZE = 200

/** Answers drawn at random for people to label, without their verdicts, which would influence the
    label. */
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
          onClick={() => {
            draw.mutate()
          }}
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
    <>
      <p className="text-sm">
        {queue.length > 0 ? t('sample.progress', { drawn, labelled }) : t('sample.done')}
      </p>
      <ol className="mt-2 grid gap-1 text-sm" aria-label={t('sample.next')}>
        {queue.map(({ evaluation, draw_id, position }) => (
          <li key={`${draw_id} ${position}`}>
            {position}.{' '}
            <Link
              to={`/evaluations/${evaluation.id}?label`}
              className="underline underline-offset-2"
              lang={evaluation.lang}
            >
              {evaluation.question}
            </Link>
          </li>
        ))}
      </ol>
    </>
  )
}
