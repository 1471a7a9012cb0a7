import { useId } from 'react'
import { useNavigate } from 'react-router'
import { Bar, BarChart } from 'recharts'

import { Frame } from './Frame'
import type { DayChartProps } from './series'
import { useDayAxes } from './useDayAxes'

/** The series of each day on top of each other. */
export function DayBars(props: DayChartProps) {
  const { label, points, series, to } = props
  const navigate = useNavigate()
  const axes = useDayAxes(props, { fill: 'var(--color-muted)' })
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
        {axes}
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
