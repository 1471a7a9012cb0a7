import type { Span, Timeline } from '@/hooks/useTimeline'

/** Milliseconds after the start of the timeline. */
interface Interval {
  from: number
  to: number
}

export interface Placed extends Interval {
  span: Span
}

const WAITS: ReadonlySet<Span['kind']> = new Set(['queue', 'wait', 'batch'])
// A wait that is drawn shorter takes this share of what is not waiting.
const SHORT_WAIT = 0.1
// Waits are worth shortening when they are this much longer than all else together.
const LONG_WAITS = 2

/** The spans with their places on the time axis; of those without a start it is not known. */
export function placed({ start, end, spans }: Timeline): Placed[] {
  const zero = Date.parse(start)
  const length = Date.parse(end) - zero
  return spans.map((span) => {
    const from = span.start === null ? 0 : Date.parse(span.start) - zero
    const to = span.open ? length : from + (span.start === null ? 0 : (span.duration_ms ?? 0))
    return { span, from, to: Math.min(to, Math.max(length, from)) }
  })
}

/** Times in which something else than waiting happens, apart from each other and in order. */
function busyTimes(rows: readonly Placed[]): Interval[] {
  const busy = rows
    .filter(({ span, from, to }) => !WAITS.has(span.kind) && to > from)
    .sort((one, other) => one.from - other.from)
  const merged: Interval[] = []
  for (const { from, to } of busy) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

/** From milliseconds to a share of the axis, 0 to 1. */
export type Scale = (ms: number) => number

export function linear(length: number): Scale {
  return (ms) => (length > 0 ? Math.min(1, Math.max(0, ms / length)) : 0)
}

/** Draws what is nothing but waiting shorter, where there is much of it; else null. */
export function withShortWaits(rows: readonly Placed[], length: number): Scale | null {
  const busy = busyTimes(rows)
  const worked = busy.reduce((sum, { from, to }) => sum + to - from, 0)
  if (worked === 0 || length - worked < LONG_WAITS * worked) return null
  const most = worked * SHORT_WAIT
  const pieces: { from: number; to: number; drawn: number }[] = []
  let at = 0
  for (const { from, to } of [...busy, { from: length, to: length }]) {
    pieces.push({ from: at, to: from, drawn: Math.min(from - at, most) })
    pieces.push({ from, to, drawn: to - from })
    at = to
  }
  const total = pieces.reduce((sum, { drawn }) => sum + drawn, 0)
  return (ms) => {
    let before = 0
    for (const { from, to, drawn } of pieces) {
      if (ms < to) {
        const inside = to > from ? Math.max(0, ms - from) / (to - from) : 0
        return (before + inside * drawn) / total
      }
      before += drawn
    }
    return 1
  }
}
