import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

import { DataTable, Facts } from '@/components/page'
import { Card, CardTitle } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { percentTenths } from '@/lib/figures'
import { judgeName } from '@/lib/names'

import type { JudgeFigures } from '../api/benches'
import { count, dollars, figure, interval, milliseconds } from '../figures'

const MEASURED = ['f1', 'precision', 'recall', 'balanced_accuracy', 'auroc', 'kappa'] as const
// Of a judge that was sent each answer more than once.
const REPEATED = ['same_verdict', 'spread', 'judge_share'] as const

/** How far one judge agrees with people. */
export function JudgeResult({ figures }: { figures: JudgeFigures }) {
  const { t } = useTranslation('runs')
  const { judge, spans, steadiness } = figures
  const named = (key: (typeof MEASURED | typeof REPEATED)[number]) => t(`benches.metrics.${key}`)
  const rows = [
    ...MEASURED.map((key) => ({ name: named(key), ...figures[key] })),
    ...(steadiness ? REPEATED.map((key) => ({ name: named(key), ...steadiness[key] })) : []),
    ...(figures.criteria ?? []).map(({ name, version, mean }) => {
      return { name: `${name}@${version}`, value: mean, interval: null }
    }),
  ]
  return (
    <Card aria-label={judge} className="grid grid-cols-1 gap-6">
      <CardTitle className="mb-0">{judgeName(judge)}</CardTitle>
      <Facts
        facts={[
          [
            t('benches.judged'),
            t('detail.of', {
              done: count(figures.answers),
              total: count(figures.answers + figures.failed + (figures.undecided ?? 0)),
            }),
          ],
          [t('means.failedCases'), count(figures.failed)],
          ...(figures.undecided ? [[t('means.undecided'), count(figures.undecided)] as const] : []),
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
      <ul className="text-muted-foreground list-disc pl-5 text-sm empty:hidden">
        {remarks(figures, t).map((remark) => (
          <li key={remark}>{remark}</li>
        ))}
      </ul>
      <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
        <div className="grid min-w-0 content-start gap-6">
          <DataTable
            caption={t('benches.figuresOf', { judge })}
            columns={[
              [t('means.metric'), ({ name }) => name],
              [t('benches.value'), ({ value }) => figure(value), 'numeric'],
              [t('means.interval'), (row) => interval(row.interval), 'numeric'],
            ]}
            rows={rows}
          />
          <Confusion judge={judge} counts={figures.confusion} />
        </div>
        <Calibration judge={judge} bins={figures.calibration} />
      </div>
    </Card>
  )
}

const STORED_MAKERS = /^The stored verdicts were given by (.+)\.$/

/** What the figures lack and why. `notes` say the same in English; only the makers of stored verdicts
 * are nowhere else. */
function remarks({ notes, ...figures }: JudgeFigures, t: TFunction<'runs'>): string[] {
  const { answers, hallucinated, undecided = 0, failed, spans } = figures
  const makers = notes.flatMap((note) => STORED_MAKERS.exec(note)?.[1] ?? [])
  const givenBy = makers.map((names) => t('benches.remarks.stored', { names }))
  if (answers === 0) return [t('benches.remarks.noVerdict'), ...givenBy]
  const share = percentTenths(undecided / (answers + undecided))
  return [
    ...(hallucinated === answers ? [t('benches.remarks.allHallucinated')] : []),
    ...(hallucinated === 0 ? [t('benches.remarks.allGrounded')] : []),
    ...(undecided > 0 ? [t('benches.remarks.undecided', { count: undecided, share })] : []),
    ...(failed > 0 ? [t('benches.remarks.failed', { count: failed })] : []),
    ...(spans ? [] : [t('benches.remarks.noSpans')]),
    ...givenBy,
  ]
}

/** The highest F1 and below which correctness it is reached. No correctness lies above 1: a higher
 * threshold counts every answer. */
function bestF1({ hallucinated, best_f1, best_threshold }: JudgeFigures, t: TFunction<'runs'>) {
  if (hallucinated === 0) return figure(null)
  const f1 = figure(best_f1)
  if (best_threshold > 1) return t('benches.bestByAll', { f1 })
  return t('benches.bestText', { f1, threshold: best_threshold.toFixed(2) })
}

/** What people said against what the judge said. */
function Confusion({ judge, counts }: { judge: string; counts: Schema<'Confusion'> }) {
  const { t } = useTranslation('runs')
  const rows = [
    {
      said: t('benches.hallucinated'),
      positive: counts.true_positives,
      negative: counts.false_negatives,
    },
    {
      said: t('benches.grounded'),
      positive: counts.false_positives,
      negative: counts.true_negatives,
    },
  ]
  return (
    <DataTable
      caption={t('benches.confusionOf', { judge })}
      columns={[
        [t('benches.people'), ({ said }) => said],
        [
          t('benches.judgeSays', { said: t('benches.hallucinated') }),
          ({ positive }) => count(positive),
          'numeric',
        ],
        [
          t('benches.judgeSays', { said: t('benches.grounded') }),
          ({ negative }) => count(negative),
          'numeric',
        ],
      ]}
      rows={rows}
    />
  )
}

const SIZE = 200

interface CalibrationProps {
  judge: string
  bins: readonly Schema<'CalibrationBin'>[]
}

/** The judge's correctness against the share that people found grounded; a judge that says what it
 * knows stands on the diagonal. */
function Calibration({ judge, bins }: CalibrationProps) {
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
          [t('benches.correctness'), ({ low, high }) => `${low.toFixed(1)} – ${high.toFixed(1)}`],
          [t('benches.answers'), ({ answers }) => count(answers), 'numeric'],
          [t('benches.meanScore'), ({ mean_score }) => figure(mean_score), 'numeric'],
          [t('benches.shareGrounded'), ({ grounded }) => figure(grounded), 'numeric'],
        ]}
        rows={filled}
      />
    </div>
  )
}
