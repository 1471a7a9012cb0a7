import type { Span, Timeline } from '@/hooks/useTimeline'

const START = Date.parse('2026-06-01T00:00:00.000Z')

/** The moment so many milliseconds after the start of the timelines of tests. */
export function after(ms: number): string {
  return new Date(START + ms).toISOString()
}

/** A part of the way to a verdict; `at` in milliseconds after the start, null where not known. */
export function span(
  kind: Span['kind'],
  at: number | null,
  duration_ms: number | null,
  change: Partial<Span> = {},
): Span {
  return {
    ...{ kind, start: at === null ? null : after(at), duration_ms, open: false, attempt: null },
    ...{ model: null, status: null, reason: null, purpose: null, re_ask: false, batched: false },
    ...{ cascade_step: null, retry_after: null, discarded: false, error: null, judge_ms: null },
    first_chunk_ms: null,
    ...change,
  }
}

/** A verdict that had a queue of 100 ms and took 900 ms, if nothing else is said. */
export function timeline(change: Partial<Timeline> = {}): Timeline {
  return {
    now: after(60_000),
    start: after(0),
    end: after(1000),
    status: 'succeeded',
    judged_again: false,
    from_cache: false,
    spans: [
      span('queue', 0, 100, { status: 'queued' }),
      span('attempt', 100, 900, { attempt: 1, model: 'offline:rules', status: 'succeeded' }),
      span('record', 1000, null, { status: 'succeeded' }),
    ],
    awaited: [],
    unknown: [],
    ...change,
  }
}
