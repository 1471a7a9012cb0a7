import { describe, expect, it } from 'vitest'

import { after, span, timeline } from '@/testing/timeline'

import { linear, placed, withShortWaits } from './Waterfall'

const HOUR = 3_600_000

describe('the axis of a timeline', () => {
  it('has each span where it was, and open ones up to now', () => {
    const rows = placed(
      timeline({
        end: timeline().now,
        spans: [span('queue', 0, 100), span('attempt', 100, null, { open: true })],
      }),
    )
    expect(rows.map(({ from, to }) => [from, to])).toEqual([
      [0, 100],
      [100, 60_000],
    ])
  })

  it('gives no place to what began nobody knows when', () => {
    const [row] = placed(timeline({ spans: [span('generate', null, 800)] }))
    expect(row).toMatchObject({ from: 0, to: 0 })
  })

  it('is linear where waits are not long', () => {
    expect(withShortWaits(placed(timeline()), 1000)).toBeNull()
    expect(linear(1000)(250)).toBe(0.25)
    expect(linear(0)(0)).toBe(0)
  })

  it('draws a long wait shorter and keeps the proportions of the rest', () => {
    const spans = [
      span('attempt', 0, 1000),
      span('wait', 1000, HOUR),
      span('attempt', 1000 + HOUR, 3000),
    ]
    const length = HOUR + 4000
    const scale =
      withShortWaits(placed(timeline({ spans, end: after(length) })), length) ?? linear(0)
    const [first, wait, second] = [
      scale(1000) - scale(0),
      scale(1000 + HOUR) - scale(1000),
      scale(length) - scale(1000 + HOUR),
    ]
    expect(second / first).toBeCloseTo(3)
    expect(wait / (first + second)).toBeCloseTo(0.1)
    expect(scale(length)).toBe(1)
  })
})
