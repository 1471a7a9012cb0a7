import type { Field, Settings } from './api/policy'
import { draftOf, type Draft, type Written } from './policyFields'

/** A policy under the writer's hands. */
export interface Editing {
  /** As it was read last; saving replaces this version. */
  base: Settings
  draft: Draft
  /** Fields that somebody else has changed since the writer began. */
  changed: readonly Field[]
}

export const begin = (settings: Settings): Editing => ({
  base: settings,
  draft: draftOf(settings.policy),
  changed: [],
})

/** The same edits on what somebody else has saved meanwhile: fields that the writer left alone
 * become theirs, the others stay as written. */
export function rebased({ base, draft, changed }: Editing, theirs: Settings): Editing {
  const before = draftOf(base.policy)
  const after = draftOf(theirs.policy)
  const names = Object.keys(after) as Field[]
  const kept = names.filter((name) => !same(draft[name], before[name]))
  return {
    base: theirs,
    draft: { ...after, ...Object.fromEntries(kept.map((name) => [name, draft[name] ?? null])) },
    changed: names.filter((name) => changed.includes(name) || !same(before[name], after[name])),
  }
}

/** Whether two say the same; those of several values in any order. */
export function same(one: Written | undefined, other: Written | undefined): boolean {
  return plain(one) === plain(other)
}

const plain = (value: Written | undefined) =>
  typeof value === 'string' ? value.trim() : JSON.stringify(value && [...value].sort())
