import { useLayoutEffect, useRef, useState, type ReactElement } from 'react'
import { ResponsiveContainer } from 'recharts'

// Where nothing has a size, as in tests.
const DEFAULT_WIDTH = 480

interface Props {
  label: string
  height?: number
  children: ReactElement
}

/** A picture with a name; its numbers are in the table beside it. Measured first, since a chart that
 * is drawn again in its right width takes twice as long. */
export function Frame({ label, height = 260, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState<number>()
  useLayoutEffect(() => {
    const measured = box.current?.clientWidth ?? 0
    setWidth(measured > 0 ? measured : DEFAULT_WIDTH)
  }, [])
  return (
    <div ref={box} role="img" aria-label={label} style={{ height }}>
      {width !== undefined && (
        <ResponsiveContainer initialDimension={{ width, height }}>{children}</ResponsiveContainer>
      )}
    </div>
  )
}
