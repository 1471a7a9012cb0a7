import schema from '@/api/policy.json'

import type { Field, Policy } from './api/policy'

/** How a field is written, and what it may hold. */
type Kind =
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'number'; min: number; max: number; whole: boolean }
  | { kind: 'text'; pattern: RegExp }
  | { kind: 'models'; several: boolean }
  | { kind: 'several'; values: readonly string[] }
  | { kind: 'notebooks' }

/** A field as the API's document describes it. */
interface FieldSchema {
  type: string
  minimum?: number
  maximum?: number
  maxLength?: number
  pattern?: string
  enum?: readonly string[]
  items?: { type: string; enum?: readonly string[]; format?: string }
}

const PROMPTS = ['search-qa-eval-5', 'search-qa-eval-6', 'search-qa-eval-7']
export const MODEL = /^[!-~]{1,200}$/

function kindOf(name: string, field: FieldSchema): Kind {
  const { type, items, minimum = -Infinity, maximum = Infinity, maxLength = 0 } = field
  if (name === 'judge_prompt') return { kind: 'choice', values: PROMPTS }
  if (type === 'boolean') return { kind: 'choice', values: ['true', 'false'] }
  if (field.enum) return { kind: 'choice', values: field.enum }
  if (items?.enum) return { kind: 'several', values: items.enum }
  if (items?.format === 'uuid') return { kind: 'notebooks' }
  if (items || name === 'judge_model') return { kind: 'models', several: items !== undefined }
  if (type === 'string') {
    // A pattern begins with `^`.
    return { kind: 'text', pattern: new RegExp(`(?=^.{1,${maxLength}}$)${field.pattern ?? ''}`) }
  }
  return { kind: 'number', min: minimum, max: maximum, whole: type === 'integer' }
}

export const FIELDS = Object.fromEntries(
  Object.entries<FieldSchema>(schema).map(([name, field]) => [name, kindOf(name, field)]),
) as Record<Field, Kind>

/** By subject, statements: fields that are read, and changed, together. */
export const GROUPS = {
  who: [
    ['judge_model', 'fallback_models', 'judge_fallback'],
    ['cascade', 'cascade_check', 'jury'],
  ],
  what: [
    ['enabled', 'sample_rate'],
    ['features', 'languages', 'notebook_ids'],
    ['min_answer_chars', 'max_answer_chars'],
  ],
  budget: [['daily_budget_usd', 'time_zone'], ['reuse_replies'], ['bulk_by', 'batch_hours']],
  prompts: [['judge_prompt'], ['phases'], ['quality_gate', 'quality_gate_features']],
  improve: [['auto_refine', 'auto_refine_features', 'refine_threshold', 'refine_iterations']],
  keep: [
    ['keep_answers_days', 'keep_judge_bodies_days', 'keep_events_days'],
    ['user_refs'],
    ['redact', 'redact_pattern'],
  ],
} as const satisfies Record<string, readonly (readonly Field[])[]>

/** Whether a field has an effect where these values hold. */
export function hasEffect(name: Field, holds: Policy): boolean {
  if (name === 'sample_rate') return holds.enabled === true
  if (name === 'quality_gate_features') return holds.quality_gate === true
  if (name === 'auto_refine_features') return holds.auto_refine === true
  if (name === 'redact_pattern') return holds.redact === true
  if (name === 'cascade_check') return (holds.cascade?.length ?? 0) > 0
  return name !== 'batch_hours' || holds.bulk_by === 'batch'
}

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
  if (kind === 'models') return 'several' in rest && rest.several ? models(text) : text
  const yesNo = kind === 'choice' && 'values' in rest && rest.values.includes('true')
  return yesNo ? text === 'true' : text
}

export const models = (text: string) => text.split(/[\s,]+/).filter(Boolean)
