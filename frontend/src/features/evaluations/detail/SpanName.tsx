import { useTranslation } from 'react-i18next'

import type { Span } from '@/hooks/useTimeline'
import { duration } from '@/lib/duration'
import { judgeName, purposeName } from '@/lib/names'

const REASONS = [
  'judge_paused',
  'probe',
  'released',
  'lease_expired',
  'transient_failure',
  'fallback',
  'cascade',
  'rules_fallback',
  'budget_held',
  'budget_spent',
  'budget_unpriced',
  'for_batch',
  'in_batch',
] as const

/** What a part of the way to a verdict was, and how it went. */
export function SpanName({ span }: { span: Span }) {
  const { t } = useTranslation(['evaluations', 'ai'])
  const { kind } = span
  const name =
    kind === 'call'
      ? t('timeline.callFor', { purpose: purposeName(span.purpose) })
      : t(`timeline.kind.${kind}`, { number: span.attempt ?? '' })
  return (
    <>
      <span className="font-medium">{name}</span>
      <span className="text-muted-foreground block text-xs wrap-anywhere">
        <Details span={span} />
      </span>
    </>
  )
}

function Details({ span }: { span: Span }) {
  const { t } = useTranslation('evaluations')
  const { kind, status, model, judge_ms: judged, first_chunk_ms: first } = span
  const parts = [
    model && (kind === 'generate' ? model : judgeName(model)),
    waitsFor(span),
    kind === 'attempt' && status && t(`timeline.ended.${status}`),
    kind === 'record' && status && t(`options.status.${status}`),
    judged !== null && t('timeline.judged', { ms: duration(judged) }),
    first !== null && t('timeline.firstWords', { ms: duration(first) }),
  ].filter(Boolean)
  return (
    <>
      {[...parts, ...useHowCalled(span)].join(' · ')}
      {span.error !== null && <span className="text-danger block">{span.error}</span>}
    </>
  )

  function waitsFor({ reason }: Span): string | null {
    const known = REASONS.find((name) => name === reason)
    if (known) return t(`timeline.reason.${known}`)
    return kind === 'search' && reason !== null ? t('timeline.method', { method: reason }) : null
  }
}

type Called = Pick<Span, 'cascade_step' | 'retry_after' | 're_ask' | 'batched' | 'discarded'>

/** What is special about a call to a judge, in words. */
export function useHowCalled({ cascade_step, retry_after, re_ask, batched, discarded }: Called) {
  const { t } = useTranslation('evaluations')
  return [
    cascade_step !== null && t('calls.step', { number: cascade_step }),
    retry_after !== null && t('calls.retryAfter', { error: retry_after }),
    re_ask && t('calls.reAsk'),
    batched && t('calls.batched'),
    discarded && t('calls.discarded'),
  ].filter((words) => words !== false)
}
