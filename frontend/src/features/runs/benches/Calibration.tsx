import { useTranslation } from 'react-i18next'

import { DataTable } from '@/components/page'
import type { Schema } from '@/lib/api'

import { count, figure } from '../figures'

const SIZE = 200

interface Props {
  judge: string
  bins: readonly Schema<'CalibrationBin'>[]
}

/** The judge's correctness against the share that people found grounded; a judge that says what it
 * knows stands on the diagonal. */
export function Calibration({ judge, bins }: Props) {
  const { t } = useTranslation('runs')
  const title = t('benches.calibrationOf', { judge })
  const filled = bins.filter(({ answers }) => answers > 0)
  const most = Math.max(1, ...bins.map(({ answers }) => answers))
  return (
    <div className="grid min-w-0 content-start gap-3">
      <svg
        role="img"
        aria-label={title}
        viewBox={`-8 -8 ${SIZE + 16} ${SIZE + 16}`}
        className="border-border max-h-72 w-full rounded-md border"
      >
        {[0, SIZE].map((at) => (
          <path
            key={at}
            d={`M0 ${at}H${SIZE}M${at} 0V${SIZE}`}
            stroke="var(--color-border)"
            fill="none"
          />
        ))}
        <path
          d={`M0 ${SIZE}L${SIZE} 0`}
          stroke="var(--color-muted-foreground)"
          strokeDasharray="4 4"
          fill="none"
        />
        {filled.map(({ low, mean_score, grounded, answers }) => (
          <circle
            key={low}
            cx={(mean_score ?? low) * SIZE}
            cy={(1 - (grounded ?? 0)) * SIZE}
            // The area grows with the answers.
            r={2 + 6 * Math.sqrt(answers / most)}
            fill="var(--color-primary)"
          />
        ))}
      </svg>
      <p className="text-muted-foreground text-sm">{t('benches.calibrationText')}</p>
      <DataTable
        caption={title}
        columns={[
          {
            key: 'bin',
            header: t('benches.correctness'),
            cell: ({ low, high }) => `${low.toFixed(1)} – ${high.toFixed(1)}`,
          },
          {
            key: 'answers',
            header: t('benches.answers'),
            cell: ({ answers }) => count(answers),
            numeric: true,
          },
          {
            key: 'mean',
            header: t('benches.meanScore'),
            cell: ({ mean_score }) => figure(mean_score),
            numeric: true,
          },
          {
            key: 'grounded',
            header: t('benches.shareGrounded'),
            cell: ({ grounded }) => figure(grounded),
            numeric: true,
          },
        ]}
        rows={filled}
        rowKey={({ low }) => String(low)}
      />
    </div>
  )
}
