import type { ReactElement } from 'react'
import { ResponsiveContainer } from 'recharts'

interface Props {
  label: string
  height?: number
  children: ReactElement
}

/** A picture with a name; its numbers are in the table beside it. */
export function Frame({ label, height = 260, children }: Props) {
  return (
    <div role="img" aria-label={label} style={{ height }}>
      <ResponsiveContainer initialDimension={{ width: 480, height }}>
        {children}
      </ResponsiveContainer>
    </div>
  )
}
