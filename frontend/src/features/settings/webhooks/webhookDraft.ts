import type { Schema } from '@/lib/api'
import type { Language } from '@/lib/language'

import type { Webhook } from '../api/webhooks'

type Threshold = Webhook['thresholds'][number]

export const EVENTS = [
  'verdict.succeeded',
  'verdict.failed',
  'judge.paused',
  'judge.resumed',
  'backlog.old',
  'threshold.crossed',
  'quality.changed',
  'failure.opened',
  'failure.reopened',
  'model.ending',
  'webhook.disabled',
] as const satisfies readonly Schema<'EventName'>[]
export const CONFIDENCES = ['high', 'medium', 'low'] as const
export const FEATURES = ['search_qa', 'insight', 'writing'] as const
export const METRICS = [
  'high_share',
  'low_share',
  'unsupported_share',
  'failed_share',
  'cost_usd',
] as const satisfies readonly Threshold['metric'][]

export const DIRECTIONS = ['below', 'above'] as const
export const FORMATS = ['json', 'slack', 'otlp'] as const satisfies readonly Schema<'FormatName'>[]

export interface ThresholdDraft extends Pick<Threshold, 'metric' | 'direction'> {
  value: string
}

/** What is typed and chosen. An empty filter lets everything pass. */
export interface WebhookDraft {
  name: string
  url: string
  format: Schema<'FormatName'>
  lang: Language
  events: readonly Schema<'EventName'>[]
  confidences: readonly (typeof CONFIDENCES)[number][]
  features: readonly string[]
  notebook_ids: readonly string[]
  judges: string
  include_content: boolean
  backlog_minutes: string
  thresholds: readonly ThresholdDraft[]
}

export function emptyDraft(lang: Language): WebhookDraft {
  return {
    ...{ name: '', url: '', format: 'json', lang, events: ['verdict.succeeded'] },
    ...{ confidences: [], features: [], notebook_ids: [], judges: '' },
    ...{ include_content: false, backlog_minutes: '10', thresholds: [] },
  }
}

/** The address of a webhook whose address is a password is not shown, and stays if left empty. */
export function draftOf(webhook: Webhook): WebhookDraft {
  return {
    ...webhook,
    url: hidesAddress(webhook) ? '' : webhook.url,
    confidences: webhook.confidences ?? [],
    features: webhook.features ?? [],
    notebook_ids: webhook.notebook_ids ?? [],
    judges: webhook.judges?.join(', ') ?? '',
    backlog_minutes: String(webhook.backlog_minutes),
    thresholds: webhook.thresholds.map((each) => ({ ...each, value: String(each.value) })),
  }
}

export const hidesAddress = ({ format }: Pick<Webhook, 'format'>) => format === 'slack'

/** What is sent of it. */
export function bodyOf(draft: WebhookDraft): Schema<'WebhookCreate'> {
  const judges = draft.judges
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
  const orAll = <Each>(chosen: readonly Each[]) => (chosen.length ? [...chosen] : null)
  return {
    name: draft.name.trim(),
    url: draft.url.trim(),
    format: draft.format,
    lang: draft.lang,
    events: [...draft.events],
    confidences: orAll(draft.confidences),
    features: orAll(draft.features),
    notebook_ids: orAll(draft.notebook_ids),
    judges: orAll(judges),
    include_content: draft.include_content,
    backlog_minutes: Number(draft.backlog_minutes),
    thresholds: draft.thresholds.map((each) => ({ ...each, value: Number(each.value) })),
  }
}

/** Whether it is worth sending; what the API refuses it says itself. */
export function isWhole(draft: WebhookDraft, addressKept: boolean): boolean {
  const numbers = [draft.backlog_minutes, ...draft.thresholds.map(({ value }) => value)]
  return (
    draft.name.trim() !== '' &&
    (addressKept || draft.url.trim() !== '') &&
    draft.events.length > 0 &&
    numbers.every((each) => each.trim() !== '' && Number.isFinite(Number(each)))
  )
}
