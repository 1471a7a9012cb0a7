import i18n from 'i18next'

import type { JudgedBy } from './judge'

/** What a call to a judge was for, by the name of its reply's schema. */
export function purposeName(purpose: string | null): string {
  const name = purpose ?? 'unknown'
  return i18n.t(`ai:purpose.${name as 'claims'}`, { defaultValue: name })
}

/** Names that the server gives where nobody has, by what they are. */
const GIVEN = { 'browser session': 'session', 'login link': 'link' } as const

const isGiven = (name: string): name is keyof typeof GIVEN => name in GIVEN

/** A token, login or author by its name. */
export function personName(name: string): string {
  return isGiven(name) ? i18n.t(`givenNames.${GIVEN[name]}`) : name
}

/** The name that is stored for one that a reader has seen and types. */
export function storedName(shown: string): string {
  return Object.keys(GIVEN).find((name) => personName(name) === shown) ?? shown
}

const KINDS: Readonly<Record<string, Exclude<JudgedBy, 'model'>>> = {
  offline: 'rules',
  local: 'local',
}

/** A judge, `provider:model`, by what it is; a model has its own name. */
export function judgeName(judge: string): string {
  const kind = KINDS[judge.split(':', 1)[0] ?? '']
  return kind ? i18n.t(`ai:judge.${kind}`, { name: judge }) : judge
}
