import { ReferenceLine } from 'recharts'

/** Marks in a chart where the policy was given another judge: what follows is by that one. xs: all
 * places of the axis. A function, because Recharts draws only what stands among a chart's children. */
export function changeMark<X extends string | number>(
  key: string,
  x: X,
  judge: string,
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
        value: judge,
        position: isLate ? 'insideTopRight' : 'insideTopLeft',
        fontSize: 11,
        fill: 'var(--color-foreground)',
      }}
    />
  )
}
