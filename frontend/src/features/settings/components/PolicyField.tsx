import { useTranslation } from 'react-i18next'

import { Checkboxes, Input, Select } from '@/components/ui'
import { useJudgePrompts } from '@/hooks/useJudgePrompts'
import { useNotebooks } from '@/hooks/workspace'
import { count } from '@/lib/figures'

import type { Field, Settings } from '../api/policy'
import { FIELDS, type Written } from '../policyFields'
import { useShown } from '../useShown'

import { ModelsField } from './ModelsField'

interface Props {
  name: Field
  value: Written
  settings: Settings
  problem: string | undefined
  onChange: (value: Written) => void
}

/** The control of one field; empty, it is as the server says. */
export function PolicyField({ name, value, settings: { server }, problem, onChange }: Props) {
  const { t } = useTranslation('settings')
  const { data: notebooks = [] } = useNotebooks()
  const takesPrompts = name === 'judge_prompt'
  const { data: prompts = [] } = useJudgePrompts(takesPrompts)
  const { showValue, showOption } = useShown(notebooks)
  const field = FIELDS[name]
  const given = server[name]
  const theirs = typeof given === 'number' ? count(given) : showValue(name, given)
  const label = t(`policy.fields.${name}`)
  const option = (each: string) => ({ value: each, text: showOption(name, each) })
  if (field.kind === 'several' || field.kind === 'notebooks') {
    const values = field.kind === 'several' ? field.values : notebooks.map(({ id }) => id)
    const all = given === null || given === undefined
    return (
      <Checkboxes
        label={label}
        hint={problem ?? (all ? t('criteria.noneIsAll') : t('policy.server', { value: theirs }))}
        className="max-h-64 overflow-y-auto"
        options={values.map(option)}
        value={Array.isArray(value) ? value : Array.isArray(given) ? given : []}
        onValue={(chosen) => onChange(chosen.length === 0 && all ? null : chosen)}
      />
    )
  }
  const text = typeof value === 'string' ? value : ''
  const common = { label, error: problem, value: text }
  if (field.kind === 'choice') {
    // One that is retired stands there while the policy still has it.
    const own = prompts.filter(
      ({ retired_at, reference }) => takesPrompts && (retired_at === null || reference === text),
    )
    return (
      <Select
        {...common}
        onValue={onChange}
        options={[...field.values, ...own.map(({ reference }) => reference)].map(option)}
        none={t('policy.asServer', { value: theirs })}
      />
    )
  }
  const typed = {
    ...common,
    placeholder: theirs,
    ...(text !== '' && { hint: t('policy.server', { value: theirs }) }),
  }
  if (field.kind === 'models') {
    return <ModelsField {...typed} several={field.several} onChange={onChange} />
  }
  return (
    <Input
      {...typed}
      inputMode={field.kind === 'number' ? 'decimal' : 'text'}
      verbatim
      onValue={onChange}
    />
  )
}
