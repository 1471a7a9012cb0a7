import { useEffect, useState } from 'react'

import { clock } from '@/lib/duration'

interface Props {
  /** The browser's time (Date.now) at which it began. */
  since: number
  label: string
}

/** The time since a moment, as it passes. Nothing around it is rendered again, and screen readers
 * are not told of each second. */
export function Elapsed({ since, label }: Props) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span role="timer" aria-label={label} className="tabular-nums">
      {clock(now - since)}
    </span>
  )
}
