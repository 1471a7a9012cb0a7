import { useId } from 'react'
import { useNavigate } from 'react-router'
import { Bar, BarChart, CartesianGrid, Legend, Tooltip, XAxis, YAxis } from 'recharts'

import { changeMark } from '@/charts/changeMark'
import { useJudgeChanges } from '@/hooks/successions'
import { integer } from '@/lib/figures'

import { Frame } from './Frame'
import { AXIS, formatted, LEGEND, TOOLTIP, type DayChartProps } from './series'

/** The series of each day on top of each other. */
export function DayBars({ label, points, series, format, formatDay, to }: DayChartProps) {
  const navigate = useNavigate()
  const changes = useJudgeChanges()
  const days = points.map((point) => point.day)
  const patterns = useId()
  return (
    <Frame label={label}>
      <BarChart data={points} accessibilityLayer={false} margin={{ top: 8, right: 12 }}>
        <defs>
          {series.map(
            ({ key, colour, striped }) =>
              striped && (
                <pattern
                  key={key}
                  id={`${patterns}${key}`}
                  width={6}
                  height={6}
                  patternUnits="userSpaceOnUse"
                  patternTransform="rotate(45)"
                >
                  <rect width={6} height={6} fill="var(--color-card)" />
                  <rect width={3} height={6} fill={colour} />
                </pattern>
              ),
          )}
        </defs>
        <CartesianGrid vertical={false} stroke="var(--color-muted)" />
        <XAxis dataKey="day" tickFormatter={formatDay} minTickGap={24} {...AXIS} />
        <YAxis
          tickFormatter={format}
          // Between whole numbers two ticks would be written alike.
          allowDecimals={format !== integer}
          width={64}
          axisLine={false}
          {...AXIS}
        />
        <Tooltip
          formatter={formatted(format)}
          labelFormatter={(day) => (typeof day === 'string' ? formatDay(day) : '')}
          cursor={{ fill: 'var(--color-muted)' }}
          {...TOOLTIP}
        />
        {changes
          .filter(({ day }) => days.includes(day))
          .map(({ day, moment, to: judge }) => changeMark(moment, day, judge, days))}
        <Legend itemSorter={null} wrapperStyle={LEGEND} />
        {series.map(({ key, label: name, colour, striped }) => (
          <Bar
            key={key}
            dataKey={key}
            name={name}
            stackId="day"
            fill={striped ? `url(#${patterns}${key})` : colour}
            stroke="var(--color-card)"
            cursor={to && 'pointer'}
            onClick={({ payload }: { payload?: { day?: string } }) => {
              const address = payload?.day && to?.(payload.day, key)
              if (address) void navigate(address)
            }}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </Frame>
  )
}
