import type { Schema } from '@/lib/api'

import type { Criterion } from '../api/criteria'
import { FEATURES } from '../webhooks/webhookDraft'

export const KINDS = [
  'model',
  'regex',
  'json_schema',
  'length',
] as const satisfies readonly Criterion['kind'][]
export { FEATURES }

type Feature = (typeof FEATURES)[number]
type Lang = 'ko' | 'en'

/** What is typed and chosen; nothing chosen is all. */
export interface CriterionDraft {
  name: string
  question: string
  kind: Criterion['kind']
  scale: string
  pattern: string
  json_schema: string
  min_chars: string
  max_chars: string
  features: readonly Feature[]
  languages: readonly Lang[]
}

export const EMPTY: CriterionDraft = {
  ...{ name: '', question: '', kind: 'model', scale: '', pattern: '', json_schema: '' },
  ...{ min_chars: '', max_chars: '', features: [], languages: [] },
}

export function draftOf(criterion: Criterion): CriterionDraft {
  const { name, question, kind, scale, pattern, json_schema: schema } = criterion
  return {
    ...{ name, question, kind, scale: scale.join(', '), pattern: pattern ?? '' },
    json_schema: schema ? JSON.stringify(schema, null, 2) : '',
    min_chars: criterion.min_chars?.toString() ?? '',
    max_chars: criterion.max_chars?.toString() ?? '',
    features: (criterion.features ?? []) as Feature[],
    languages: criterion.languages ?? [],
  }
}

function jsonOf(text: string): Record<string, unknown> | null {
  try {
    const found: unknown = JSON.parse(text)
    const isObject = typeof found === 'object' && found !== null && !Array.isArray(found)
    return isObject ? (found as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const isCount = (text: string) => /^\d{0,6}$/.test(text.trim())

function wordsOf(scale: string): string[] {
  return scale
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

/** Whether everything that its kind needs is there. */
export function isWhole({ name, question, kind, ...rule }: CriterionDraft): boolean {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name) || question.trim() === '') return false
  if (kind === 'regex') return rule.pattern !== ''
  if (kind === 'json_schema') return jsonOf(rule.json_schema) !== null
  const { min_chars: min, max_chars: max } = rule
  return kind === 'model' || (isCount(min) && isCount(max) && (min + max).trim() !== '')
}

export function bodyOf(draft: CriterionDraft): Schema<'CriterionCreate'> {
  const { name, kind, features, languages } = draft
  const number = (text: string) => (text.trim() === '' ? null : Number(text))
  return {
    ...{ name, kind, question: draft.question.trim(), scale: wordsOf(draft.scale), note: '' },
    pattern: kind === 'regex' ? draft.pattern : null,
    json_schema: kind === 'json_schema' ? jsonOf(draft.json_schema) : null,
    min_chars: kind === 'length' ? number(draft.min_chars) : null,
    max_chars: kind === 'length' ? number(draft.max_chars) : null,
    features: features.length > 0 ? [...features] : null,
    languages: languages.length > 0 ? [...languages] : null,
  }
}
