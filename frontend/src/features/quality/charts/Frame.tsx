import { useLayoutEffect, useRef, useState, type ReactElement } from 'react'
import { useTranslation } from 'react-i18next'
import { ResponsiveContainer } from 'recharts'

// Where nothing has a size, as in tests.
const DEFAULT_WIDTH = 480
const MAX_WAIT_MS = 1000

interface Props {
  label: string
  height?: number
  children: ReactElement
}

/** A picture with a name; its numbers are in the table beside it. Measured first, since a chart that
 * is drawn again in its right width takes twice as long; and drawn when there is nothing else to do
 * unless it is in view. */
export function Frame({ label, height = 260, children }: Props) {
  const { i18n } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState<number>()
  useLayoutEffect(() => {
    const { top = 0, width: measured = 0 } = box.current?.getBoundingClientRect() ?? {}
    const draw = () => setWidth(measured > 0 ? measured : DEFAULT_WIDTH)
    if (top >= window.innerHeight) return whenIdle(draw)
    draw()
    return undefined
  }, [])
  return (
    <div ref={box} role="img" aria-label={label} style={{ height }}>
      {width !== undefined && (
        // Axes keep their ticks until they are drawn anew.
        <ResponsiveContainer key={i18n.language} initialDimension={{ width, height }}>
          {children}
        </ResponsiveContainer>
      )}
    </div>
  )
}

/** Returns what cancels it. Safari has no idle callbacks. */
function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work)
    return () => clearTimeout(timer)
  }
  const idle = window.requestIdleCallback(work, { timeout: MAX_WAIT_MS })
  return () => window.cancelIdleCallback(idle)
}
