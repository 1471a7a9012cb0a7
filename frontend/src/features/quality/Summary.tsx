import { ArrowDown, ArrowUp, Equal, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { daysBetween } from '@/lib/days'
import { day, integer, percentTenths } from '@/lib/figures'

import { type Filters, type Row, useTrueQuality } from './api/analytics'
import { judgedIn, numberOf, points, sum, textOf, useMeansNote } from './values'

interface SummaryProps {
  compared: Row[]
  mix: Row[] | undefined
  filters: Filters
}

/** The period in three figures, each beside that of the period before. compared: the rows of
 * `period-comparison`; mix: those of `confidence-mix`. */
export function Summary({ compared, mix, filters }: SummaryProps) {
  const now = compared.find((row) => textOf(row, 'period') === 'now')
  const before = compared.find((row) => textOf(row, 'period') === 'before')
  if (!now) return null
  const days = daysBetween(textOf(now, 'first_day'), textOf(now, 'last_day')).length
  return (
    <>
      <Figures {...{ now, before, days, filters }} />
      <div className="text-muted-foreground mb-4 grid gap-1 text-sm">
        {before && <Before row={before} />}
        {mix && <Judges rows={mix} degraded={sum([now], 'degraded')} />}
      </div>
    </>
  )
}

function Before({ row }: { row: Row }) {
  const { t } = useTranslation('quality')
  return (
    <p>
      {t('summary.compared', {
        since: day(textOf(row, 'first_day')),
        until: day(textOf(row, 'last_day')),
        answers: integer(sum([row], 'answers')),
      })}
    </p>
  )
}

/** Who gave the verdicts: averages over rules are not averages over a model. */
function Judges({ rows, degraded }: { rows: Row[]; degraded: number }) {
  const { t } = useTranslation('quality')
  const of = (prefix: string) =>
    ['high', 'medium', 'low'].reduce((count, name) => count + sum(rows, `${prefix}${name}`), 0)
  const [rules, local] = [of('rules_'), of('local_')]
  const counts = { model: of('') - rules - local, local, rules, degraded }
  const judges = (['model', 'local', 'rules', 'degraded'] as const)
    .filter((judge) => counts[judge] > 0)
    .map((judge) => t(`summary.by.${judge}`, { number: integer(counts[judge]) }))
  return judges.length > 0 && <p>{t('summary.judges', { judges: judges.join(' · ') })}</p>
}

const NO_FIGURE: Figure = { value: null, error: null }

function mean(row: Row | undefined, name: string): Figure {
  return row ? { value: numberOf(row, name), error: numberOf(row, `${name}_error`) } : NO_FIGURE
}

/** The share of answers that their judge judged: of all answers, so that chance has no part in it. */
function coverage(row: Row | undefined): Figure {
  const answers = row ? sum([row], 'answers') : 0
  return row && answers > 0 ? { value: judgedIn(row) / answers, error: 0 } : NO_FIGURE
}

interface FiguresProps {
  now: Row
  before: Row | undefined
  days: number
  filters: Filters
}

function Figures({ now, before, days, filters }: FiguresProps) {
  const { t } = useTranslation(['quality', 'ai'])
  const { data: labelled } = useTrueQuality('all', filters)
  /** By people's labels, where there are enough of them. */
  const corrected = (name: string) =>
    labelled?.rows.find(({ measure }) => measure === name)?.corrected?.value
  const count = (name: string) => integer(sum([now], name))
  const of = useMeansNote()([now])
  const figures = [
    ...(['correctness', 'utility'] as const).map((name) => ({
      name: t(name === 'correctness' ? 'ai:qaCorrectness' : 'ai:qaUtility'),
      figure: mean(now, name),
      past: mean(before, name),
      corrected: corrected(name),
      note: of,
    })),
    {
      name: t('coverage'),
      figure: coverage(now),
      past: coverage(before),
      corrected: undefined,
      note: (['skipped', 'failed', 'pending', 'degraded'] as const)
        .filter((name) => sum([now], name) > 0)
        .map((name) => t(`summary.left.${name}`, { number: count(name) }))
        .join(' · '),
    },
  ]
  return (
    <dl className="mb-4 grid gap-4 sm:grid-cols-3">
      {figures.map(({ name, figure, past, corrected, note }) => (
        <div key={name} className="bg-card border-border rounded-lg border p-3">
          <dt className="text-muted-foreground text-sm">{name}</dt>
          <dd className="text-2xl font-semibold tabular-nums">
            {percentTenths(corrected ?? figure.value)}
          </dd>
          {corrected !== undefined && <dd className="text-sm">{t('summary.corrected')}</dd>}
          <dd className="text-sm">
            {/* What is compared is not the figure above then. */}
            {corrected !== undefined && t('summary.mean', { value: percentTenths(figure.value) })}
            <Change now={figure} before={past} days={t('summary.days', { count: days })} />
          </dd>
          {note && <dd className="text-muted-foreground mt-1 text-xs">{note}</dd>}
        </div>
      ))}
    </dl>
  )
}

/** A mean or share of a period, 0 to 1; null without data. error: half of its 95 % interval, 0 for
 * a figure that is not an estimate; null where too few scores tell. */
export interface Figure {
  value: number | null
  error: number | null
}

// What the figures are shown with.
const SHOWN_STEP = 0.001

type Outcome = 'above' | 'below' | 'same' | 'tooFew' | 'none'

/** Whether a figure differs from the one before by more than chance would. */
export function compared(now: Figure, before: Figure): Outcome {
  if (before.value === null) return 'none'
  if (now.value === null || now.error === null || before.error === null) return 'tooFew'
  const difference = now.value - before.value
  const chance = Math.hypot(now.error, before.error)
  if (Math.abs(difference) <= Math.max(chance, SHOWN_STEP / 2)) return 'same'
  return difference > 0 ? 'above' : 'below'
}

const ICONS: Record<Outcome, LucideIcon | null> = {
  above: ArrowUp,
  below: ArrowDown,
  same: Equal,
  tooFew: null,
  none: null,
}

interface Props {
  now: Figure
  before: Figure
  /** Length of either period, in words. */
  days: string
}

/** A figure beside that of the period before, in words and a sign. */
export function Change({ now, before, days }: Props) {
  const { t } = useTranslation('quality')
  const outcome = compared(now, before)
  const Icon = ICONS[outcome]
  return (
    <span className="flex items-start gap-1">
      {Icon && <Icon aria-hidden className="mt-0.5 size-3.5 shrink-0" />}
      <span>
        {t(`summary.${outcome}`, {
          days,
          value: percentTenths(before.value ?? 0),
          by: points(Math.abs((now.value ?? 0) - (before.value ?? 0))),
        })}
      </span>
    </span>
  )
}
