import { useNavigate } from 'react-router'
import { CartesianGrid, Legend, Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts'

import { changeMark } from '@/charts/changeMark'
import { useJudgeChanges } from '@/hooks/successions'

import { Frame } from './Frame'
import { AXIS, formatted, LEGEND, TOOLTIP, type DayChartProps } from './series'

interface Props extends DayChartProps {
  /** Ends of the axis; by what is drawn without them. */
  domain?: [number, number]
  /** Days on which something began, beside the changes of the judge. */
  marks?: { day: string; label: string }[]
}

/** A line for each series over days. A day without a value breaks the line. */
export function DayLines({
  label,
  points,
  series,
  format,
  formatDay,
  domain,
  marks = [],
  to,
}: Props) {
  const navigate = useNavigate()
  const changes = useJudgeChanges()
  const days = points.map((point) => point.day)
  return (
    <Frame label={label}>
      <LineChart
        data={points}
        accessibilityLayer={false}
        margin={{ top: 8, right: 12 }}
        className={to ? 'cursor-pointer' : ''}
        onClick={({ activeLabel: day }) => {
          const address = typeof day === 'string' ? to?.(day) : undefined
          if (address) void navigate(address)
        }}
      >
        <CartesianGrid vertical={false} stroke="var(--color-muted)" />
        <XAxis dataKey="day" tickFormatter={formatDay} minTickGap={24} {...AXIS} />
        <YAxis
          tickFormatter={format}
          width={64}
          axisLine={false}
          {...(domain && { domain })}
          {...AXIS}
        />
        <Tooltip
          formatter={formatted(format)}
          labelFormatter={(day) => (typeof day === 'string' ? formatDay(day) : '')}
          cursor={{ stroke: 'var(--color-input)' }}
          {...TOOLTIP}
        />
        {changes
          .filter(({ day }) => days.includes(day))
          .map(({ day, moment, to: judge }) => changeMark(moment, day, judge, days))}
        {marks
          .filter(({ day }) => days.includes(day))
          .map(({ day, label }) => changeMark(label, day, label, days))}
        <Legend itemSorter={null} wrapperStyle={LEGEND} />
        {series.map(({ key, label: name, colour, dash }) => (
          <Line
            key={key}
            dataKey={key}
            name={name}
            stroke={colour}
            strokeWidth={2}
            // A day between two gaps would be no line at all.
            dot={{ r: 2, fill: colour }}
            connectNulls={false}
            isAnimationActive={false}
            {...(dash !== undefined && { strokeDasharray: dash })}
          />
        ))}
      </LineChart>
    </Frame>
  )
}
