import { useTranslation } from 'react-i18next'

import type { Span } from '@/hooks/useTimeline'
import { duration } from '@/lib/duration'
import { judgeName, purposeName } from '@/lib/names'

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
  const { t, i18n } = useTranslation('evaluations')
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
    const key = `timeline.reason.${reason as 'probe'}` as const
    if (reason !== null && i18n.exists(`evaluations:${key}`)) return t(key)
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
