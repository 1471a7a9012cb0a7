import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'

import { metricName } from './metricName'

/** Which means are not compared, and why. */
export function NotCompared({ comparison }: { comparison: Schema<'Comparison'> }) {
  const { t } = useTranslation('runs')
  const { first_k: first, second_k: second } = comparison
  return comparison.not_compared.map(({ because, names }) => (
    <p key={because} className="bg-warning-soft text-warning-foreground rounded-lg p-4 text-sm">
      {t(`compare.unequal.${because}`, {
        first,
        second,
        names: names.map((name) => metricName(name, t)).join(', '),
      })}
    </p>
  ))
}
