import { Check, CornerDownRight, Ellipsis, type LucideIcon, RotateCcw } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { type Span, type Timeline, useTimeline } from '@/hooks/useTimeline'
import { clock } from '@/lib/duration'
import { judgeName, purposeName } from '@/lib/names'
import { isFinal, type Verdict } from '@/lib/verdict'

// Most verdicts arrive sooner and need no request for the timeline.
const PROGRESS_DELAY_MS = 3000
const READ_ON_MS = 10_000

/** While a verdict is on its way: what is done, what is awaited and since when. */
export function VerdictProgress({ verdict }: { verdict: Pick<Verdict, 'id' | 'status'> }) {
  const { id, status } = verdict
  if (id === null || isFinal(status)) return null
  return <Progress key={id} id={id} status={status} />
}

function Progress({ id, status }: { id: string; status: Verdict['status'] }) {
  const { t } = useTranslation('ai')
  const isDue = useLater(PROGRESS_DELAY_MS)
  const { timeline, receivedAt } = useTimeline(id, status, { enabled: isDue })
  if (!isDue || !timeline || isFinal(timeline.status)) return null
  const here = (moment: string) => receivedAt - Date.parse(timeline.now) + Date.parse(moment)
  const since = waitingSince(timeline)
  const open = timeline.spans.findLast((span) => span.open && span.kind !== 'batch')
  return (
    <div className="text-muted-foreground grid gap-2 text-sm">
      <p>
        {t('progress.since')} <Elapsed since={here(since)} label={t('progress.since')} />
        {open?.start && open.kind === 'attempt' && (
          <>
            {' · '}
            {t('progress.atWork', {
              judge: open.model ? judgeName(open.model) : t('judgedBy'),
            })}{' '}
            <Elapsed since={here(open.start)} label={t('progress.atWorkSince')} />
          </>
        )}
      </p>
      <Parts timeline={timeline} />
      {Date.parse(timeline.now) - Date.parse(since) >= READ_ON_MS && <p>{t('progress.readOn')}</p>}
    </div>
  )
}

/** Since the verdict was last asked for: one that was judged before and failed may be here again. */
function waitingSince({ spans, start }: Timeline): string {
  const ended = spans.findLastIndex(({ kind }) => kind === 'record')
  const waiting = spans.slice(ended + 1).find(({ kind }) => kind === 'queue' || kind === 'wait')
  return waiting?.start ?? start
}

/** What has ended, and what the judge at work still owes. */
function Parts({ timeline }: { timeline: Timeline }) {
  const { t } = useTranslation('ai')
  const ended = timeline.spans.filter((span) => span.kind === 'attempt' && !span.open)
  const judging = timeline.status === 'running'
  if (ended.length === 0 && !judging) return null
  return (
    <ul className="grid gap-1">
      {ended.map((span) => (
        <Part key={span.start} icon={span.status === 'retrying' ? RotateCcw : CornerDownRight}>
          <EndedAttempt span={span} />
        </Part>
      ))}
      {judging &&
        timeline.awaited.map(({ purpose, calls, answered }) => (
          <Part key={purpose} icon={answered >= calls ? Check : Ellipsis}>
            {purposeName(purpose)}
            {calls > 1 && ` ${t('progress.counted', { answered, calls })}`}
            {' – '}
            {t(answered >= calls ? 'progress.there' : 'progress.awaited')}
          </Part>
        ))}
    </ul>
  )
}

function Part({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </li>
  )
}

function EndedAttempt({ span: { model, attempt, status } }: { span: Span }) {
  const { t } = useTranslation('ai')
  const outcome = status === 'retrying' ? 'progress.failed' : 'progress.passedOn'
  return (
    <>
      {t('progress.attempt', { number: attempt ?? '–' })}
      {model && `, ${judgeName(model)}`}
      {' – '}
      {t(outcome)}
    </>
  )
}

interface Props {
  /** The browser's time (Date.now) at which it began. */
  since: number
  label: string
}

/** The time since a moment, as it passes. Nothing around it is rendered again, and screen readers
 * are not told of each second. */
function Elapsed({ since, label }: Props) {
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

/** Whether `ms` milliseconds have passed since it was first shown. */
function useLater(ms: number): boolean {
  const [later, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return later
}
