import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'

import type { Field, Policy } from './api/policy'

const OPTIONS = [
  'true',
  'false',
  'rules',
  'failed',
  'calls',
  'batch',
  'search-qa-eval-3',
  'search-qa-eval-4',
  'search_qa',
  'insight',
  'writing',
  'ko',
  'en',
] as const
type Option = (typeof OPTIONS)[number]
const isOption = (value: string): value is Option => OPTIONS.some((each) => each === value)

const PHASES = ['citation', 'completeness', 'groundedness', 'next_steps'] as const
const isPhase = (value: string): value is (typeof PHASES)[number] =>
  PHASES.some((phase) => phase === value)

/** Values of a policy in the reader's words. */
export function useShown(notebooks: readonly Schema<'NotebookRead'>[]) {
  const { t, i18n } = useTranslation('settings')

  function showOption(name: Field, value: string): string {
    if (name === 'notebook_ids') return notebooks.find(({ id }) => id === value)?.name ?? value
    const [part = '', by] = value.split(':')
    if (name === 'phases' && isPhase(part)) return byWhom(t(`policy.phases.${part}`), by)
    return isOption(part) ? byWhom(t(`policy.options.${part}`), by) : value
  }

  function byWhom(shown: string, by: string | undefined): string {
    return by === 'model' ? t('policy.byModel', { phase: shown }) : shown
  }

  function showValue(name: Field, value: Policy[Field]): string {
    if (value === null || value === undefined) return t(`policy.without.${withoutOf(name)}`)
    if (typeof value === 'number') return value.toLocaleString(i18n.language)
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
