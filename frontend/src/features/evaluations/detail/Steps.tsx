import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Card, CardTitle, Spinner } from '@/components/ui'

import { useHistory } from '../api/detail'
import { moment } from '../scores'

/** What happened to the verdict, attempt by attempt. */
export function Steps({ id, status }: { id: string; status: string }) {
  const { t, i18n } = useTranslation('evaluations')
  const { data: steps, error, isPending, refetch } = useHistory(id, status)
  return (
    <Card aria-label={t('steps.title')}>
      <CardTitle>{t('steps.title')}</CardTitle>
      {isPending && <Spinner />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {steps?.length === 0 && <p className="text-muted-foreground text-sm">{t('steps.none')}</p>}
      <ol className="grid gap-1 text-sm">
        {steps?.map((step, at) => (
          // Steps are only ever added at the end.
          <li key={at} className="flex flex-wrap justify-between gap-2">
            <span>
              {step.refinement_id !== null && `${t('steps.refinement')}: `}
              {t(`options.status.${step.status as 'queued'}`, { defaultValue: step.status })}
            </span>
            <time dateTime={step.at} className="text-muted-foreground">
              {moment(step.at, i18n.language)}
            </time>
          </li>
        ))}
      </ol>
    </Card>
  )
}
