import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import {
  CartesianGrid,
  ErrorBar,
  Legend,
  Line,
  LineChart,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from 'recharts'

import { changeMark } from '@/charts/changeMark'
import { useJudgeChanges } from '@/hooks/successions'

import { day, figure } from '../figures'

import type { TrendPoint } from './trend'

const HEIGHT = 260
const AXIS = { stroke: 'var(--color-input)', fontSize: 12, tickLine: false } as const
const COLOURS = ['primary', 'warning', 'success', 'danger', 'muted-foreground']
// Colour is not all that tells lines apart.
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '1 4']

/** A line for each setting, with the interval of each mean; each point opens its run. The table
 * beside it has the same links for the keyboard. */
export function TrendChart({ label, points }: { label: string; points: readonly TrendPoint[] }) {
  const changes = useJudgeChanges()
  const settings = [...new Set(points.map(({ setting }) => setting))]
  const rows = points.map((point, at) => ({ ...point, at }))
  return (
    <div role="group" aria-label={label} style={{ height: HEIGHT }}>
      <ResponsiveContainer initialDimension={{ width: 480, height: HEIGHT }}>
        <LineChart data={rows} accessibilityLayer={false} margin={{ top: 8, right: 16 }}>
          <CartesianGrid vertical={false} stroke="var(--color-muted)" />
          <XAxis
            dataKey="at"
            tickFormatter={(at: number) => day(points[at]?.run.created_at ?? '')}
            minTickGap={24}
            padding={{ left: 16, right: 16 }}
            {...AXIS}
          />
          <YAxis
            domain={ends(points)}
            tickFormatter={figure}
            width={52}
            axisLine={false}
            {...AXIS}
          />
          {changes.flatMap(({ moment, to }) => {
            const at = points.findIndex(({ run }) => run.created_at >= moment)
            return at === -1 ? [] : [changeMark(moment, at, to, [...points.keys()])]
          })}
          <Legend itemSorter={null} wrapperStyle={{ fontSize: 13 }} />
          {settings.map((setting, nth) => {
            const colour = `var(--color-${COLOURS[nth % COLOURS.length]})`
            return (
              <Line
                key={setting}
                name={setting}
                dataKey={(row: TrendPoint) => (row.setting === setting ? row.value : null)}
                stroke={colour}
                strokeWidth={2}
                strokeDasharray={DASHES[nth % DASHES.length] ?? ''}
                connectNulls
                isAnimationActive={false}
                dot={({ cx, cy, payload }: Dot) => (
                  <Point key={payload.run.id} cx={cx} cy={cy} of={payload} colour={colour} />
                )}
                activeDot={false}
              >
                <ErrorBar
                  dataKey={({ value, interval }: TrendPoint) =>
                    interval ? [value - interval.low, interval.high - value] : [0, 0]
                  }
                  stroke={colour}
                  width={5}
                  isAnimationActive={false}
                />
              </Line>
            )
          })}
        </LineChart>
      </ResponsiveContainer>
    </div>
  )
}

/** Of the axis: tenths around the means and their intervals. */
function ends(points: readonly TrendPoint[]): [number, number] {
  const all = points.flatMap(({ value, interval }) => [
    value,
    ...(interval ? [interval.low, interval.high] : []),
  ])
  const low = Math.floor(Math.min(...all) * 10 - 0.5) / 10
  const high = Math.ceil(Math.max(...all) * 10) / 10
  return [Math.max(0, low), high]
}

interface Dot {
  cx?: number | undefined
  cy?: number | undefined
  payload: TrendPoint
}

function Point({ cx, cy, of, colour }: Omit<Dot, 'payload'> & { of: TrendPoint; colour: string }) {
  const { t } = useTranslation('runs')
  // Of a run with another setting.
  if (cx == null || cy == null) return null
  const label = t('trend.open', { name: of.run.name, value: figure(of.value) })
  return (
    <Link to={`/runs/${of.run.id}`} tabIndex={-1} aria-label={label}>
      <title>{label}</title>
      {/* Room for a finger. */}
      <circle cx={cx} cy={cy} r={14} fill="transparent" />
      <circle cx={cx} cy={cy} r={4} fill={colour} />
    </Link>
  )
}
