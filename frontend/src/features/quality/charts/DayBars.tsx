import { Bar, BarChart, CartesianGrid, Legend, Tooltip, XAxis, YAxis } from 'recharts'

import { Frame } from './Frame'
import { AXIS, formatted, LEGEND, type DayChartProps } from './series'

/** The series of each day on top of each other. */
export function DayBars({ label, points, series, format, formatDay }: DayChartProps) {
  return (
    <Frame label={label}>
      <BarChart data={points} accessibilityLayer={false} margin={{ top: 8, right: 12 }}>
        <CartesianGrid vertical={false} stroke="var(--color-muted)" />
        <XAxis dataKey="day" tickFormatter={formatDay} minTickGap={24} {...AXIS} />
        <YAxis tickFormatter={format} width={64} axisLine={false} {...AXIS} />
        <Tooltip
          formatter={formatted(format)}
          labelFormatter={(day) => (typeof day === 'string' ? formatDay(day) : '')}
          isAnimationActive={false}
        />
        <Legend itemSorter={null} wrapperStyle={LEGEND} />
        {series.map(({ key, label: name, colour }) => (
          <Bar
            key={key}
            dataKey={key}
            name={name}
            stackId="day"
            fill={colour}
            stroke="var(--color-card)"
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </Frame>
  )
}
