import { ReferenceLine } from 'recharts'

/** Marks in a chart where the policy was given another judge: what follows is by that one. A
 * function, because Recharts draws what stands among the children of a chart alone. */
export function changeMark(key: string, x: string | number, judge: string) {
  return (
    <ReferenceLine
      key={`${x} ${key}`}
      x={x}
      stroke="var(--color-foreground)"
      strokeDasharray="4 3"
      label={{
        value: judge,
        position: 'insideTopLeft',
        fontSize: 11,
        fill: 'var(--color-foreground)',
      }}
    />
  )
}
