import { Bar, BarChart, LabelList, XAxis, YAxis } from 'recharts'

import { Frame } from './Frame'
import { AXIS, formatted } from './series'

const ROW_PIXELS = 32
const NAME_CHARS = 16

interface Props {
  label: string
  rows: { name: string; value: number; fill?: string }[]
  /** Of bars that have no `fill` of their own. */
  colour: string
  format: (value: number) => string
  /** The longest that a bar can be; by what is drawn without it. */
  most?: number
}

/** A bar for each name, in the order given. */
export function Ranking({ label, rows, colour, format, most }: Props) {
  // Two notes may have one title.
  const data = rows.map((row, at) => ({ ...row, at }))
  const nameOf = (at: number) => {
    const name = data[at]?.name ?? ''
    return name.length > NAME_CHARS ? `${name.slice(0, NAME_CHARS)}…` : name
  }
  return (
    <Frame label={label} height={rows.length * ROW_PIXELS + 16}>
      <BarChart data={data} layout="vertical" accessibilityLayer={false} margin={{ right: 56 }}>
        <XAxis type="number" hide domain={[0, most ?? 'dataMax']} />
        <YAxis
          type="category"
          dataKey="at"
          tickFormatter={nameOf}
          width={128}
          axisLine={false}
          interval={0}
          {...AXIS}
        />
        <Bar dataKey="value" fill={colour} radius={2} barSize={16} isAnimationActive={false}>
          <LabelList
            dataKey="value"
            position="right"
            formatter={formatted(format)}
            fill="var(--color-foreground)"
            fontSize={12}
          />
        </Bar>
      </BarChart>
    </Frame>
  )
}
