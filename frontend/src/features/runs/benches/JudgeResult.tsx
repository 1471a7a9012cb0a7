import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

import { DataTable } from '@/components/page'
import { Card, CardTitle } from '@/components/ui'
import { judgeName } from '@/lib/judge'

import { Facts } from '../Facts'
import type { JudgeFigures } from '../api/benches'
import { count, dollars, figure, interval, milliseconds } from '../figures'

import { Calibration } from './Calibration'
import { Confusion } from './Confusion'

const MEASURED = ['f1', 'precision', 'recall', 'balanced_accuracy', 'auroc', 'kappa'] as const

/** How far one judge agrees with people. */
export function JudgeResult({ figures }: { figures: JudgeFigures }) {
  const { t } = useTranslation('runs')
  const { t: ai } = useTranslation('ai')
  const { judge, spans, notes } = figures
  return (
    <Card aria-label={judge} className="grid grid-cols-1 gap-6">
      <CardTitle className="mb-0">{judgeName(ai, judge)}</CardTitle>
      <Facts
        facts={[
          [
            t('benches.judged'),
            t('detail.of', {
              done: count(figures.answers),
              total: count(figures.answers + figures.failed),
            }),
          ],
          [t('means.failedCases'), count(figures.failed)],
          [t('benches.ece'), figure(figures.calibration_error)],
          [t('benches.brier'), figure(figures.brier)],
          [t('benches.best'), bestF1(figures, t)],
          ...(spans ? [[t('benches.spanF1'), figure(spans.f1)] as const] : []),
          [t('benches.median'), milliseconds(figures.latency_median_ms)],
          [t('means.cost'), dollars(figures.cost_usd)],
        ]}
      />
      {figures.first_error !== null && (
        <p className="bg-warning-soft text-warning-foreground rounded-md p-3 text-sm">
          {t('benches.firstError', { error: figures.first_error })}
        </p>
      )}
      {notes.length > 0 && (
        <ul lang="en" className="text-muted-foreground list-disc pl-5 text-sm">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
        <div className="grid min-w-0 content-start gap-6">
          <DataTable
            caption={t('benches.figuresOf', { judge })}
            columns={[
              {
                key: 'name',
                header: t('means.metric'),
                cell: (key) => t(`benches.metrics.${key}`),
              },
              {
                key: 'value',
                header: t('benches.value'),
                cell: (key) => figure(figures[key].value),
                numeric: true,
              },
              {
                key: 'interval',
                header: t('means.interval'),
                cell: (key) => interval(figures[key].interval),
                numeric: true,
              },
            ]}
            rows={MEASURED}
            rowKey={(key) => key}
          />
          <Confusion judge={judge} counts={figures.confusion} />
        </div>
        <Calibration judge={judge} bins={figures.calibration} />
      </div>
    </Card>
  )
}

/** The highest F1 and below which correctness it is reached. No correctness lies above 1: a higher
 * threshold counts every answer. */
function bestF1({ hallucinated, best_f1, best_threshold }: JudgeFigures, t: TFunction<'runs'>) {
  if (hallucinated === 0) return figure(null)
  const f1 = figure(best_f1)
  if (best_threshold > 1) return t('benches.bestByAll', { f1 })
  return t('benches.bestText', { f1, threshold: best_threshold.toFixed(2) })
}
