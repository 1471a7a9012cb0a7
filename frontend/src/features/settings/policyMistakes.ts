import { ApiError } from '@/lib/problem'

import type { Field } from './api/policy'
import { FIELDS, isField, MODEL, models, type Draft, type Written } from './policyFields'

/** What is wrong with a field; a key of `policy.mistakes` with its blanks. */
type Mistake =
  { key: 'number' | 'whole'; min: number; max: number } | { key: 'text' | 'models' | 'shorter' }

export function mistakesOf(draft: Draft): Partial<Record<Field, Mistake>> {
  const found: Partial<Record<Field, Mistake>> = {}
  for (const [name, value] of Object.entries(draft)) {
    if (!isField(name)) continue
    const mistake = mistakeOf(name, value)
    if (mistake) found[name] = mistake
  }
  const [shortest, longest] = [draft.min_answer_chars, draft.max_answer_chars]
  if (shortest && longest && Number(shortest) > Number(longest)) {
    found.max_answer_chars ??= { key: 'shorter' }
  }
  return found
}

function mistakeOf(name: Field, value: Written): Mistake | null {
  const field = FIELDS[name]
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (text === '') return null
  if (field.kind === 'number') {
    const { min, max, whole } = field
    const number = Number(text)
    const fits = number >= min && number <= max && (!whole || Number.isInteger(number))
    return fits ? null : { key: whole ? 'whole' : 'number', min, max }
  }
  if (field.kind === 'text') return field.pattern.test(text) ? null : { key: 'text' }
  if (field.kind === 'models') {
    const names = models(text)
    if (!field.several) return MODEL.test(text) ? null : { key: 'text' }
    return names.length <= 5 && names.every((each) => MODEL.test(each)) ? null : { key: 'models' }
  }
  return null
}

/** What the server refused, by field: `errors` name it as `body.sample_rate.…`, a sentence
 * begins with it. */
export function refusalsOf(error: unknown): Partial<Record<Field, string>> {
  if (!(error instanceof ApiError)) return {}
  const found: Partial<Record<Field, string>> = {}
  for (const { at, message } of error.problem.errors ?? []) {
    const name = at.split('.')[1] ?? ''
    if (isField(name)) found[name] = message
  }
  const [name = '', ...rest] = error.problem.detail.split(': ')
  if (isField(name)) found[name] = rest.join(': ')
  return found
}
