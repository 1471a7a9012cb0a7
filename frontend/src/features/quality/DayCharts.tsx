import { useTranslation } from 'react-i18next'

import { today } from '@/lib/days'
import { integer, percentTenths, roundDollars } from '@/lib/figures'

import { ChartCard } from './ChartCard'
import { type Filters, type QueryName, type Row, useAnalytics, useReleases } from './api/analytics'
import { DayBars, DayLines } from './charts/lazy'
import { byDay, byDayAndModel, rowOf } from './charts/points'
import { COLOURS } from './charts/series'
import { behind } from './drill'
import { judgedIn, ms, numberOf, sum, useMeansNote } from './values'

const [BLUE = '', AMBER = '', GREEN = '', RED = '', GREY = ''] = COLOURS

interface Props {
  filters: Filters
}

/** What a click on a day opens; nothing where the query has no row of it. */
function opened(name: QueryName, figure: string, row: Row | undefined, filters: Filters) {
  return row && behind(name, figure, row, filters)
}

export function QualityByDay({ filters }: Props) {
  const { t } = useTranslation(['quality', 'ai'])
  const note = useMeansNote()
  const { data: released } = useReleases(filters)
  const marks = released?.rows
    .filter(({ previous_version }) => previous_version !== null)
    .map(({ app_version, first_seen_at }) => ({
      day: today(new Date(first_seen_at)),
      label: app_version,
    }))
  const share = (row: Row) => judgedIn(row) / (numberOf(row, 'answers') ?? 1)
  return (
    <ChartCard
      name="daily-quality"
      hint
      title={t('daily.title')}
      filters={filters}
      note={note}
      chart={(rows) => (
        <DayLines
          label={t('daily.label')}
          to={(day) => opened('daily-quality', 'answers', rowOf(rows, day), filters)}
          domain={[0, 1]}
          {...(marks && { marks })}
          format={percentTenths}
          points={byDay(rows, filters, (row) => ({
            correctness: numberOf(row, 'correctness'),
            utility: numberOf(row, 'utility'),
            coverage: share(row),
          }))}
          series={[
            { key: 'correctness', label: t('ai:qaCorrectness'), colour: BLUE },
            { key: 'utility', label: t('ai:qaUtility'), colour: AMBER, dash: '6 3' },
            { key: 'coverage', label: t('coverage'), colour: GREY, dash: '2 3' },
          ]}
        />
      )}
    />
  )
}

const MIX = [
  { key: 'high', text: 'ai:qaConfidenceHigh', colour: GREEN },
  { key: 'medium', text: 'ai:qaConfidenceMedium', colour: AMBER },
  { key: 'low', text: 'ai:qaConfidenceLow', colour: RED },
  { key: 'rules_high', text: 'confidence.rules_high', colour: GREEN, striped: true },
  { key: 'rules_medium', text: 'confidence.rules_medium', colour: GREY, striped: true },
  { key: 'rules_low', text: 'confidence.rules_low', colour: RED, striped: true },
  { key: 'local_high', text: 'confidence.local_high', colour: BLUE },
  { key: 'local_medium', text: 'confidence.local_medium', colour: AMBER, striped: true },
  { key: 'local_low', text: 'confidence.local_low', colour: RED, striped: true },
  { key: 'rightly_refused', text: 'ai:state.rightly_refused', colour: BLUE, striped: true },
  { key: 'unrated', text: 'confidence.unrated', colour: GREY },
] as const

const isOfModels = (key: string) => ['high', 'medium', 'low'].includes(key)

const rated = (row: Row) => sum([row], 'high') + sum([row], 'medium') + sum([row], 'low')

/** What a bar counts. Rules and local models, which do not read, have bars of their own. */
function counted(row: Row, key: string): number {
  const of = (name: string) => sum([row], name)
  if (key === 'unrated') return of('answers') - rated(row) - of('rightly_refused')
  return isOfModels(key) ? of(key) - of(`rules_${key}`) - of(`local_${key}`) : of(key)
}

/** The figure of drill.json that a bar shows. */
const figureOf = (key: string) => (isOfModels(key) ? `model_${key}` : key)

export function ConfidenceMix({ filters }: Props) {
  const { t } = useTranslation(['quality', 'ai'])
  return (
    <ChartCard
      name="confidence-mix"
      hint
      title={t('confidence.title')}
      filters={filters}
      note={(rows) =>
        t('confidence.note', {
          rated: integer(rows.reduce((count, row) => count + rated(row), 0)),
          answers: integer(sum(rows, 'answers')),
        })
      }
      chart={(rows) => (
        <DayBars
          label={t('confidence.label')}
          to={(day, key = '') => opened('confidence-mix', figureOf(key), rowOf(rows, day), filters)}
          format={integer}
          points={byDay(rows, filters, (row) =>
            Object.fromEntries(MIX.map(({ key }) => [key, counted(row, key)])),
          )}
          series={MIX.filter(
            ({ key }) => key === 'unrated' || rows.some((row) => counted(row, key) > 0),
          ).map(({ text, ...bar }) => ({ ...bar, label: t(text) }))}
        />
      )}
    />
  )
}

const FAULTS = [
  { key: 'contradicted', colour: RED },
  { key: 'not_in_notes', colour: AMBER },
  { key: 'misattributed', colour: BLUE },
  { key: 'stitched', colour: GREY },
] as const

/** In what ways claims are doubtful; nothing where no verdict knows. */
export function DoubtfulClaims({ filters }: Props) {
  const { t } = useTranslation(['quality', 'ai'])
  const { data: found } = useAnalytics('claim-support', filters)
  const doubtful = (rows: readonly Row[]) =>
    FAULTS.reduce((count, { key }) => count + sum(rows, key), 0)
  if (!found || doubtful(found.rows) === 0) return null
  return (
    <ChartCard
      name="claim-support"
      hint
      title={t('faults.title')}
      filters={filters}
      note={(rows) =>
        t('faults.note', {
          doubtful: integer(doubtful(rows)),
          claims: integer(sum(rows, 'claims')),
        })
      }
      chart={(rows) => (
        <DayBars
          label={t('faults.label')}
          to={(day, key = '') => opened('claim-support', key, rowOf(rows, day), filters)}
          format={integer}
          points={byDay(rows, filters, (row) =>
            Object.fromEntries(FAULTS.map(({ key }) => [key, numberOf(row, key)])),
          )}
          series={FAULTS.map(({ key, colour }) => ({ key, colour, label: t(`ai:fault.${key}`) }))}
        />
      )}
    />
  )
}

export function VerdictLatency({ filters }: Props) {
  const { t } = useTranslation('quality')
  return (
    <ChartCard
      name="verdict-latency"
      hint
      title={t('latency.title')}
      filters={filters}
      note={(rows) => t('latency.note', { verdicts: integer(sum(rows, 'verdicts')) })}
      chart={(rows) => (
        <DayLines
          label={t('latency.label')}
          to={(day) => opened('verdict-latency', 'verdicts', rowOf(rows, day), filters)}
          format={ms}
          points={byDay(rows, filters, (row) => ({
            p50: numberOf(row, 'verdict_p50'),
            p95: numberOf(row, 'verdict_p95'),
          }))}
          series={[
            { key: 'p50', label: t('latency.p50'), colour: BLUE },
            { key: 'p95', label: t('latency.p95'), colour: AMBER, dash: '6 3' },
          ]}
        />
      )}
    />
  )
}

function unpriced(rows: readonly Row[]): boolean {
  return rows.every((row) => numberOf(row, 'cost_usd') === null)
}

export function JudgeCost({ filters }: Props) {
  const { t } = useTranslation('quality')
  const savings = (rows: readonly Row[]): string => {
    const cached = sum(rows, 'cached_tokens')
    const stored = sum(rows, 'from_cache')
    return [
      cached > 0 && t('cost.cached', { share: percentTenths(cached / sum(rows, 'prompt_tokens')) }),
      stored > 0 && t('cost.stored', { verdicts: integer(stored) }),
    ]
      .filter(Boolean)
      .map((part) => ` · ${part}`)
      .join('')
  }
  return (
    <ChartCard
      name="judge-cost"
      hint={(rows) => !unpriced(rows)}
      title={t('cost.title')}
      filters={filters}
      note={(rows) =>
        t(sum(rows, 'calls') === 0 ? 'cost.noCalls' : 'cost.note', {
          cost: unpriced(rows) ? '–' : roundDollars(sum(rows, 'cost_usd')),
          calls: integer(sum(rows, 'calls')),
          unpriced: integer(sum(rows, 'unpriced_calls')),
        }) + savings(rows)
      }
      chart={(rows) => {
        const { models, points } = byDayAndModel(rows, filters, 'cost_usd')
        if (unpriced(rows)) {
          return (
            <p className="text-muted-foreground py-8 text-center text-sm">
              {t(sum(rows, 'calls') === 0 ? 'cost.free' : 'cost.unknown')}
            </p>
          )
        }
        return (
          <DayBars
            label={t('cost.label')}
            to={(day, key = '') =>
              opened(
                'judge-cost',
                'cost_usd',
                rowOf(rows, day, models[Number(key.slice(1))]),
                filters,
              )
            }
            format={roundDollars}
            points={points}
            series={models.map((model, at) => ({
              key: `m${at}`,
              label: model,
              colour: COLOURS[at % COLOURS.length] ?? BLUE,
            }))}
          />
        )
      }}
    />
  )
}

const DASHES = [undefined, '6 3', '2 3'] as const

/** Mean scores by the workspace's own criteria; nothing where no verdict has any. */
export function OwnCriteria({ filters }: Props) {
  const { t } = useTranslation('quality')
  const { data: found } = useAnalytics('criterion-scores', filters)
  if (!found?.rows.length) return null
  return (
    <ChartCard
      name="criterion-scores"
      title={t('criteria.title')}
      filters={filters}
      note={(rows) =>
        t('criteria.note', {
          scored: integer(sum(rows, 'scored')),
          answers: integer(sum(rows, 'answers')),
        })
      }
      chart={(rows) => {
        // The last version of a day is the one that came into force.
        const { models: names, points } = byDayAndModel(rows, filters, 'score', 'criterion')
        return (
          <DayLines
            label={t('criteria.label')}
            domain={[0, 1]}
            format={percentTenths}
            points={points}
            series={names.map((label, at) => {
              const dash = DASHES[Math.floor(at / COLOURS.length) % DASHES.length]
              const colour = COLOURS[at % COLOURS.length] ?? BLUE
              return { key: `m${at}`, label, colour, ...(dash !== undefined && { dash }) }
            })}
          />
        )
      }}
    />
  )
}
