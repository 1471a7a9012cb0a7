import type { Field, Policy } from './api/policy'

/** How a field is written, and what it may hold; the limits are those of the API. */
export type Kind =
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'number'; min: number; max: number; whole?: boolean }
  | { kind: 'text'; pattern: RegExp }
  | { kind: 'models' }
  | { kind: 'several'; values: readonly string[]; mayBeEmpty?: boolean }
  | { kind: 'notebooks' }

const YES_NO: Kind = { kind: 'choice', values: ['true', 'false'] }
const SHARE: Kind = { kind: 'number', min: 0, max: 1 }
const DAYS: Kind = { kind: 'number', min: 1, max: 36_500, whole: true }
const CHARS: Kind = { kind: 'number', min: 0, max: 1_000_000, whole: true }
const FEATURES = ['search_qa', 'insight', 'writing']
export const MODEL = /^[!-~]{1,200}$/

export const FIELDS: Record<Field, Kind> = {
  enabled: YES_NO,
  sample_rate: SHARE,
  features: { kind: 'several', values: FEATURES },
  languages: { kind: 'several', values: ['ko', 'en'] },
  notebook_ids: { kind: 'notebooks' },
  min_answer_chars: CHARS,
  max_answer_chars: CHARS,
  quality_gate: YES_NO,
  quality_gate_features: {
    kind: 'several',
    mayBeEmpty: true,
    values: ['search_qa', 'insight', 'insight:model', 'writing', 'writing:model'],
  },
  phases: {
    kind: 'several',
    mayBeEmpty: true,
    values: [
      'citation',
      'completeness',
      'completeness:model',
      'groundedness',
      'groundedness:model',
      'next_steps',
      'next_steps:model',
    ],
  },
  judge_model: { kind: 'text', pattern: MODEL },
  judge_prompt: {
    kind: 'choice',
    values: ['search-qa-eval-3', 'search-qa-eval-4'],
  },
  fallback_models: { kind: 'models' },
  judge_fallback: { kind: 'choice', values: ['rules', 'failed'] },
  reuse_replies: YES_NO,
  cascade: { kind: 'models' },
  cascade_check: SHARE,
  daily_budget_usd: { kind: 'number', min: 0.0001, max: 100_000 },
  time_zone: { kind: 'text', pattern: /^[A-Za-z0-9_+/-]{1,64}$/ },
  auto_refine: YES_NO,
  auto_refine_features: { kind: 'several', values: FEATURES, mayBeEmpty: true },
  refine_threshold: SHARE,
  refine_iterations: { kind: 'number', min: 1, max: 5, whole: true },
  keep_answers_days: DAYS,
  keep_judge_bodies_days: DAYS,
  keep_events_days: DAYS,
  bulk_by: { kind: 'choice', values: ['calls', 'batch'] },
  batch_hours: { kind: 'number', min: 1, max: 24, whole: true },
}

export const GROUPS = {
  what: [
    'enabled',
    'sample_rate',
    'features',
    'languages',
    'notebook_ids',
    'min_answer_chars',
    'max_answer_chars',
  ],
  how: ['phases', 'quality_gate', 'quality_gate_features'],
  who: [
    'judge_model',
    'judge_prompt',
    'fallback_models',
    'judge_fallback',
    'reuse_replies',
    'cascade',
    'cascade_check',
    'daily_budget_usd',
    'time_zone',
    'bulk_by',
    'batch_hours',
  ],
  improve: ['auto_refine', 'auto_refine_features', 'refine_threshold', 'refine_iterations'],
  keep: ['keep_answers_days', 'keep_judge_bodies_days', 'keep_events_days'],
} as const satisfies Record<string, readonly Field[]>

export const isField = (name: string): name is Field => name in FIELDS

/** A field as it is being written: '' and null leave it to the server. */
export type Written = string | readonly string[] | null
export type Draft = Partial<Record<Field, Written>>

export function draftOf(policy: Policy): Draft {
  return Object.fromEntries(
    Object.entries(policy).map(([name, value]) => [name, written(name as Field, value)]),
  )
}

function written(name: Field, value: Policy[Field]): Written {
  const { kind } = FIELDS[name]
  if (kind === 'several' || kind === 'notebooks') return Array.isArray(value) ? value : null
  if (Array.isArray(value)) return value.join(', ')
  return value === null || value === undefined ? '' : String(value)
}

/** The policy that the draft says; the draft has no mistakes. */
export function policyOf(draft: Draft): Policy {
  return Object.fromEntries(
    Object.entries(draft).map(([name, value]) => [name, read(FIELDS[name as Field], value)]),
  )
}

function read({ kind, ...rest }: Kind, value: Written) {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '') return null
  if (kind === 'number') return Number(text)
  if (kind === 'models') return models(text)
  const yesNo = kind === 'choice' && 'values' in rest && rest.values.includes('true')
  return yesNo ? text === 'true' : text
}

export const models = (text: string) => text.split(/[\s,]+/).filter(Boolean)
