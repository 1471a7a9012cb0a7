import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'

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
