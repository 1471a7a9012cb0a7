import i18n from 'i18next'

import type { JudgedBy } from './judge'

/** What a call to a judge was for, by the name of its reply's schema. */
export function purposeName(purpose: string | null): string {
  const name = purpose ?? 'unknown'
  return i18n.t(`ai:purpose.${name as 'claims'}`, { defaultValue: name })
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
