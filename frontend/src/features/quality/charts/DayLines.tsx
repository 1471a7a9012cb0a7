import { useNavigate } from 'react-router'
import { Line, LineChart } from 'recharts'

import { Frame } from './Frame'
import type { DayChartProps } from './series'
import { useDayAxes } from './useDayAxes'

/** A line for each series over days. A day without a value breaks the line. */
export function DayLines(props: DayChartProps) {
  const { label, points, series, to } = props
  const navigate = useNavigate()
  const axes = useDayAxes(props, { stroke: 'var(--color-input)' })
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
        {axes}
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
