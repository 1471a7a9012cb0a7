import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { ErrorState } from '@/components/page'
import { Card, CardTitle, Spinner } from '@/components/ui'
import { judgeName, judgeOf } from '@/lib/judge'
import type { EvaluationView } from '@/lib/verdict'

import { RowStatus } from '../RowStatus'
import { useVerdictsOf } from '../api/detail'
import { moment, percent } from '../scores'

/** The same answer, judged again and again. */
export function VerdictsOfAnswer({ view }: { view: EvaluationView }) {
  const { t, i18n } = useTranslation(['evaluations', 'ai'])
  const { t: ai } = useTranslation('ai')
  const { data: page, error, isPending, refetch } = useVerdictsOf(view.answer_id, view.current_id)
  return (
    <Card aria-label={t('verdicts.title')}>
      <CardTitle>{t('verdicts.title')}</CardTitle>
      {isPending && <Spinner />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      <ul className="grid gap-3 text-sm">
        {page?.items.map((row) => (
          <li key={row.id} className="grid gap-1">
            <div className="flex flex-wrap items-center justify-between gap-2">
              {row.id === view.id ? (
                <span aria-current="page" className="font-medium">
                  {moment(row.created_at, i18n.language)} ({t('verdicts.this')})
                </span>
              ) : (
                <Link to={`/evaluations/${row.id}`} className="underline underline-offset-2">
                  {moment(row.created_at, i18n.language)}
                </Link>
              )}
              <RowStatus row={row} />
            </div>
            <p className="text-muted-foreground">
              {judgeName(ai, judgeOf(row) ?? row.judge_model)} · {t('ai:qaCorrectness')}{' '}
              {percent(row.correctness, i18n.language)} · {t('ai:qaUtility')}{' '}
              {percent(row.utility, i18n.language)}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
