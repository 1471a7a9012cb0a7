import { ReferenceLine } from 'recharts'

/** Marks in a chart where something began: another judge, a release. xs: all places of the axis. A
 * function, because Recharts draws only what stands among a chart's children. */
export function changeMark<X extends string | number>(
  key: string,
  x: X,
  label: string,
  xs: readonly X[],
) {
  const isLate = xs.indexOf(x) > xs.length / 2
  return (
    <ReferenceLine
      key={`${x} ${key}`}
      x={x}
      stroke="var(--color-foreground)"
      strokeDasharray="4 3"
      label={{
        value: label,
        position: isLate ? 'insideTopRight' : 'insideTopLeft',
        fontSize: 11,
        fill: 'var(--color-foreground)',
      }}
    />
  )
}
