import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'
import { count, dollars, percentTenths } from '@/lib/figures'

import type { Field, Policy } from './api/policy'

/** Values of a policy in the reader's words. */
export function useShown(notebooks: readonly Schema<'NotebookRead'>[]) {
  const { t, i18n } = useTranslation('settings')

  function showOption(name: Field, value: string): string {
    if (name === 'notebook_ids') return notebooks.find(({ id }) => id === value)?.name ?? value
    const [part = '', by] = value.split(':')
    const key = `policy.${name === 'phases' ? 'phases' : 'options'}.${part}`
    if (!i18n.exists(`settings:${key}`)) return value
    const shown = t(key as 'policy.options.true')
    return by === 'model' ? t('policy.byModel', { phase: shown }) : shown
  }

  function showValue(name: Field, value: Policy[Field]): string {
    if (value === null || value === undefined) return t(`policy.without.${withoutOf(name)}`)
    if (typeof value === 'number') return figure(name)(value)
    if (!Array.isArray(value)) return showOption(name, String(value))
    if (value.length === 0) return t('policy.without.none')
    return value.map((each) => showOption(name, each)).join(', ')
  }

  /** What holds, as a sentence. */
  function say(name: Field, value: Policy[Field]): string {
    const blanks = { context: contextOf(value), value: showValue(name, value) }
    return t(`policy.says.${name}` as 'policy.says.features', blanks as { value: string })
  }
  return { showValue, showOption, say }
}

/** Values that have a sentence of their own. */
function contextOf(value: Policy[Field]): string {
  if (value === 'offline:rules') return 'rules'
  return String(value ?? 'unset') || 'none'
}

function figure(name: Field) {
  if (name === 'daily_budget_usd') return dollars
  return name === 'sample_rate' || name === 'cascade_check' ? percentTenths : count
}

/** What a field means that neither the workspace nor the server has set. */
function withoutOf(name: Field): 'forever' | 'noLimit' | 'none' | 'all' {
  if (name.startsWith('keep_')) return 'forever'
  if (name === 'redact_pattern') return 'none'
  return name.endsWith('_chars') || name === 'daily_budget_usd' ? 'noLimit' : 'all'
}
