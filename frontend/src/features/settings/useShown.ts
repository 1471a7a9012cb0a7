import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'
import { count } from '@/lib/figures'

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
    if (typeof value === 'number') return count(value)
    if (!Array.isArray(value)) return showOption(name, String(value))
    if (value.length === 0) return t('policy.without.none')
    return value.map((each) => showOption(name, each)).join(', ')
  }
  return { showValue, showOption }
}

/** What a field means that neither the workspace nor the server has set. */
function withoutOf(name: Field): 'forever' | 'noLimit' | 'all' {
  if (name.startsWith('keep_')) return 'forever'
  return name.endsWith('_chars') || name === 'daily_budget_usd' ? 'noLimit' : 'all'
}
