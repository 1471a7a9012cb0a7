import { Minus, TrendingDown, TrendingUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState, TextWithCode } from '@/components/page'
import { Badge } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { ApiError } from '@/lib/problem'

import { metricName } from './metricName'

/** Which means are not compared, and what the two runs differ in. run: the name of the run beside
 * the baseline, where there are several. */
export function NotCompared({ of, run }: { of: Schema<'NotCompared'>[]; run?: string }) {
  const { t } = useTranslation('runs')
  return of.map(({ because, names }) => (
    <Caveat key={because}>
      {run !== undefined && <strong>{run}: </strong>}
      {t(`compare.unlike.${because}`)}{' '}
      {t('compare.leftOut', { names: names.map((name) => metricName(name, t)).join(', ') })}
    </Caveat>
  ))
}

export function Caveat({ children }: { children: ReactNode }) {
  return (
    <p className="bg-warning-soft text-warning-foreground rounded-lg p-4 text-sm break-words">
      {children}
    </p>
  )
}

/** Why a comparison was refused; any other error as everywhere. */
export function Refused({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const { t } = useTranslation('runs')
  if (!(error instanceof ApiError && error.status === 409))
    return <ErrorState error={error} onRetry={onRetry} />
  return (
    <div
      role="alert"
      className="bg-warning-soft text-warning-foreground grid gap-2 rounded-lg p-4 text-sm break-words"
    >
      <p className="font-semibold">{t('compare.refused')}</p>
      <p>
        <TextWithCode text={error.problem.detail} />
      </p>
    </div>
  )
}

/** Whether a difference is more than chance, and its direction. */
export function Outcome({
  of: { significant, difference },
}: {
  of: { significant: boolean; difference: number }
}) {
  const { t } = useTranslation('runs')
  if (!significant)
    return (
      <Badge>
        <Minus aria-hidden />
        {t('compare.same')}
      </Badge>
    )
  const better = difference > 0
  const Icon = better ? TrendingUp : TrendingDown
  return (
    <Badge variant={better ? 'success' : 'danger'}>
      <Icon aria-hidden />
      {t(better ? 'compare.better' : 'compare.worse')}
    </Badge>
  )
}
