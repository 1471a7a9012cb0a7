import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ApiError } from '@/lib/problem'
import { toast } from '@/lib/toast'

import { type Field, type Settings, useReadPolicyAgain, useSavePolicy } from './api/policy'
import {
  type Draft,
  draftOf,
  FIELDS,
  isField,
  MODEL,
  models,
  policyOf,
  type Written,
} from './policyFields'

/** A policy under the writer's hands. */
interface Editing {
  /** As it was read last; saving replaces this version. */
  base: Settings
  draft: Draft
  /** Fields that somebody else has changed since the writer began. */
  changed: readonly Field[]
}

const begin = (settings: Settings): Editing => ({
  base: settings,
  draft: draftOf(settings.policy),
  changed: [],
})

/** Fields that the writer has edited. */
const editsOf = ({ base, draft }: Editing): Field[] => {
  const before = draftOf(base.policy)
  return (Object.keys(before) as Field[]).filter((name) => !same(draft[name], before[name]))
}

/** The same edits on what somebody else has saved meanwhile: fields that the writer left alone
 * become theirs, the others stay as written. */
function rebased(editing: Editing, theirs: Settings): Editing {
  const { base, draft, changed } = editing
  const kept = editsOf(editing)
  if (kept.length === 0) return begin(theirs)
  const before = draftOf(base.policy)
  const after = draftOf(theirs.policy)
  const names = Object.keys(after) as Field[]
  return {
    base: theirs,
    draft: { ...after, ...Object.fromEntries(kept.map((name) => [name, draft[name] ?? null])) },
    changed: names.filter((name) => changed.includes(name) || !same(before[name], after[name])),
  }
}

/** Whether two say the same; those of several values in any order. */
function same(one: Written | undefined, other: Written | undefined): boolean {
  return plain(one) === plain(other)
}

const plain = (value: Written | undefined) =>
  typeof value === 'string' ? value.trim() : JSON.stringify(value && [...value].sort())

/** Somebody else has saved since the policy was read. */
const isStale = (error: unknown) => error instanceof ApiError && error.status === 412

/** A draft of the policy, what is wrong with it, and what holds once it is saved. */
export function usePolicyDraft(settings: Settings) {
  const { t } = useTranslation('settings')
  const [editing, setEditing] = useState(() => begin(settings))
  const readAgain = useReadPolicyAgain()
  const { mutate, isPending, error, reset } = useSavePolicy()
  if (settings.version !== editing.base.version) setEditing(rebased(editing, settings))
  const { base, draft, changed } = editing
  const mistakes = mistakesOf(draft)
  const saved = draftOf(base.policy)
  // A mistake has no effect yet.
  const mistaken = Object.keys(mistakes).map((name) => [name, saved[name as Field]])
  const own = policyOf({ ...draft, ...(Object.fromEntries(mistaken) as Draft) })
  const given = Object.entries(own).filter(([, value]) => value !== null)
  const refusals = refusalsOf(error)

  const rebase = () => readAgain().then(reset, () => undefined)
  const save = () =>
    mutate(
      { policy: policyOf(draft), version: base.version },
      {
        onSuccess: (replaced) => {
          setEditing(begin(replaced))
          toast(t('policy.saved'), 'success')
        },
        onError: (refusal) => {
          if (isStale(refusal)) void rebase()
        },
      },
    )
  return {
    base,
    draft,
    own,
    holds: { ...base.server, ...Object.fromEntries(given) },
    edited: editsOf(editing),
    /** What somebody else has saved meanwhile, and whether the writer has something else there. */
    changed: changed.map((name) => ({ name, differs: !same(draft[name], saved[name]) })),
    hasMistakes: mistaken.length > 0,
    problemOf: (name: Field) => {
      const { key, ...blanks } = mistakes[name] ?? {}
      return key ? t(`policy.mistakes.${key}`, blanks) : refusals[name]
    },
    change: (edits: Draft) => {
      setEditing((before) => ({ ...before, draft: { ...before.draft, ...edits } }))
      reset()
    },
    /** Has these fields be as they are saved. */
    discard: () => setEditing(begin(base)),
    save,
    isPending,
    error,
    isRefused: Object.keys(refusals).length > 0,
    retry: isStale(error) ? rebase : save,
  }
}

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
function refusalsOf(error: unknown): Partial<Record<Field, string>> {
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
