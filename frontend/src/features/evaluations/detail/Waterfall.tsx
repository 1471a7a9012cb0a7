import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Card, CardTitle, Checkbox, Spinner, Table, Td, Th } from '@/components/ui'
import { type Span, type Timeline, useTimeline } from '@/hooks/useTimeline'
import { cn } from '@/lib/cn'
import { duration } from '@/lib/duration'
import type { EvaluationView } from '@/lib/verdict'

import { SpanName } from './SpanName'

/** Milliseconds after the start of the timeline. */
interface Interval {
  from: number
  to: number
}

interface Placed extends Interval {
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
type Scale = (ms: number) => number

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

/** What took how long from question to verdict, as bars on one time axis. */
export function Waterfall({ id, status }: Pick<EvaluationView, 'id' | 'status'>) {
  const { t } = useTranslation('evaluations')
  const { timeline, error, isPending, refetch } = useTimeline(id, status)
  return (
    <Card aria-label={t('timeline.title')} className="grid min-w-0 gap-3">
      <CardTitle className="mb-0">{t('timeline.title')}</CardTitle>
      {isPending && <Spinner />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {timeline && <Bars timeline={timeline} />}
      {timeline && <Notes timeline={timeline} />}
    </Card>
  )
}

// Bars and both numbers fit into the narrowest screens.
const NARROW = 'px-1 sm:px-3'
const NUMBER = 'text-right text-xs whitespace-nowrap tabular-nums sm:text-sm'

function Bars({ timeline }: { timeline: Timeline }) {
  const { t } = useTranslation('evaluations')
  const [toScale, setToScale] = useState(false)
  const rows = placed(timeline)
  const length = Date.parse(timeline.end) - Date.parse(timeline.start)
  const shortened = withShortWaits(rows, length)
  const scale = (toScale ? null : shortened) ?? linear(length)
  return (
    <>
      {shortened && (
        <Checkbox
          className="min-h-6"
          checked={!toScale}
          onChange={(isShortened) => setToScale(!isShortened)}
        >
          {t('timeline.shortWaits')}
        </Checkbox>
      )}
      <Table aria-label={t('timeline.title')}>
        <caption className="sr-only">{t('timeline.title')}</caption>
        <thead>
          <tr>
            <Th className={cn(NARROW, 'w-full min-w-32')}>
              <span className="flex justify-between gap-2">
                <span>{t('timeline.part')}</span>
                <span className="font-normal tabular-nums">
                  {t('timeline.of', { total: duration(length) })}
                </span>
              </span>
            </Th>
            <Th className={cn(NARROW, NUMBER)}>{t('timeline.after')}</Th>
            <Th className={cn(NARROW, NUMBER)}>{t('timeline.duration')}</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // Spans are only ever added, and none of them has an id.
            <Row key={at} row={row} scale={scale} />
          ))}
        </tbody>
      </Table>
    </>
  )
}

function Row({ row, scale }: { row: Placed; scale: Scale }) {
  const { t } = useTranslation('evaluations')
  const { span, from, to } = row
  const known = span.start !== null
  const lasted = span.open ? to - from : span.duration_ms
  return (
    <tr>
      <Th
        scope="row"
        className={cn(
          NARROW,
          'text-foreground align-top font-normal',
          span.kind === 'call' && 'pl-4 sm:pl-7',
        )}
      >
        <SpanName span={span} />
        {known && <Bar row={row} scale={scale} />}
      </Th>
      <Td className={cn(NARROW, NUMBER)}>
        {known ? `+${duration(from)}` : t('timeline.notKnown')}
      </Td>
      <Td className={cn(NARROW, NUMBER)}>
        {lasted === null ? '–' : duration(lasted)}
        {span.open && <span className="block text-xs">{t('timeline.soFar')}</span>}
      </Td>
    </tr>
  )
}

const WAITING = 'bg-muted border-input border border-dashed'
const COLOURS: Partial<Record<Placed['span']['kind'], string>> = {
  queue: WAITING,
  wait: WAITING,
  batch: WAITING,
  call: 'bg-muted-foreground',
  record: 'bg-foreground',
  deliver: 'bg-warning',
}

/** The numbers beside it say the same. */
function Bar({ row: { span, from, to }, scale }: { row: Placed; scale: Scale }) {
  const [left, right] = [100 * scale(from), 100 * scale(to)]
  const failed = span.error !== null || span.discarded
  return (
    <div aria-hidden className="relative mt-1 h-2" data-bar={span.kind}>
      <div
        className={cn(
          'absolute inset-y-0 min-w-0.5 rounded-sm',
          failed ? 'bg-danger' : (COLOURS[span.kind] ?? 'bg-primary'),
        )}
        // Also what ends with the axis is to be seen.
        style={{
          left: `min(${String(left)}%, calc(100% - 2px))`,
          width: `${String(right - left)}%`,
        }}
      />
    </div>
  )
}

/** Whose clock it is, and what is not stored. */
function Notes({ timeline: { unknown, judged_again, from_cache } }: { timeline: Timeline }) {
  const { t, i18n } = useTranslation('evaluations')
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' })
  return (
    <div className="text-muted-foreground grid gap-1 text-xs">
      {judged_again && <p>{t('timeline.judgedAgain')}</p>}
      {from_cache && <p>{t('timeline.fromCache')}</p>}
      {unknown.length > 0 && (
        <p>
          {t('timeline.unknown', {
            what: list.format(unknown.map((name) => t(`timeline.unknowns.${name}`))),
          })}
        </p>
      )}
      <p>{t('timeline.clocks')}</p>
    </div>
  )
}
