import { CartesianGrid, Legend, Tooltip, XAxis, YAxis } from 'recharts'

import { changeMark } from '@/charts/changeMark'
import { useJudgeChanges } from '@/hooks/successions'
import { day as written, integer } from '@/lib/figures'

import type { DayChartProps } from './series'

const AXIS = { stroke: 'var(--color-input)', fontSize: 12, tickLine: false } as const
/** Recharts draws its own on white. */
const TOOLTIP = {
  backgroundColor: 'var(--color-card)',
  borderColor: 'var(--color-border)',
  fontSize: 13,
}

/** What charts over days have beside their series: axes, a tooltip, a legend, and marks where the
 * judge changed or something began. cursor: what the tooltip points with. */
export function useDayAxes(
  { points, format, domain, marks = [] }: DayChartProps,
  cursor: Record<string, string>,
) {
  const changes = useJudgeChanges().map(({ day, to }) => ({ day, label: to }))
  const days = points.map((point) => point.day)
  return (
    <>
      <CartesianGrid vertical={false} stroke="var(--color-muted)" />
      <XAxis dataKey="day" tickFormatter={written} minTickGap={24} {...AXIS} />
      <YAxis
        tickFormatter={format}
        // Between whole numbers two ticks would be written alike.
        allowDecimals={format !== integer}
        width={64}
        axisLine={false}
        {...(domain && { domain })}
        {...AXIS}
      />
      <Tooltip
        // Tooltips get what is drawn as whatever type; ours are numbers.
        formatter={(value: unknown) => (typeof value === 'number' ? format(value) : '–')}
        labelFormatter={(day) => (typeof day === 'string' ? written(day) : '')}
        contentStyle={TOOLTIP}
        cursor={cursor}
        isAnimationActive={false}
      />
      {[...changes, ...marks]
        .filter(({ day }) => days.includes(day))
        .map(({ day, label }, at) => changeMark(`${at} ${label}`, day, label, days))}
      <Legend itemSorter={null} wrapperStyle={{ fontSize: 13 }} />
    </>
  )
}
