import { useTranslation } from 'react-i18next'

import { Input, Select } from '@/components/ui'
import { useJudgePrompts } from '@/hooks/useJudgePrompts'
import { useNotebooks } from '@/hooks/workspace'

import { type Field, type Settings } from '../api/policy'
import { FIELDS, type Written } from '../policyFields'
import { useShown } from '../useShown'

import { SeveralField } from './SeveralField'

interface Props {
  name: Field
  value: Written
  settings: Settings
  problem: string | undefined
  onChange: (value: Written) => void
}

/** One field of the policy, and who says what holds now. */
export function PolicyField({ name, value, settings, problem, onChange }: Props) {
  const { t } = useTranslation('settings')
  const { data: notebooks = [] } = useNotebooks()
  const takesPrompts = name === 'judge_prompt'
  const { data: prompts = [] } = useJudgePrompts(takesPrompts)
  const { showValue, showOption } = useShown(notebooks)
  const field = FIELDS[name]
  const source =
    settings.sources[name] === 'workspace'
      ? t('policy.fromWorkspace')
      : t('policy.fromServer', { value: showValue(name, settings.effective[name]) })
  const common = { label: t(`policy.fields.${name}`), hint: source, error: problem }
  if (field.kind === 'several' || field.kind === 'notebooks') {
    const values = field.kind === 'several' ? field.values : notebooks.map(({ id }) => id)
    return (
      <SeveralField
        {...common}
        options={values.map((each) => ({ value: each, text: showOption(name, each) }))}
        value={typeof value === 'string' ? null : value}
        onChange={onChange}
      />
    )
  }
  const text = typeof value === 'string' ? value : ''
  if (field.kind === 'choice') {
    // One that is retired stands there while the policy still has it.
    const own = prompts
      .filter(
        ({ retired_at, reference }) => takesPrompts && (retired_at === null || reference === text),
      )
      .map(({ reference }) => reference)
    return (
      <Select {...common} value={text} onChange={(event) => onChange(event.target.value)}>
        <option value="">{t('policy.asServer')}</option>
        {[...field.values, ...own].map((each) => (
          <option key={each} value={each}>
            {showOption(name, each)}
          </option>
        ))}
      </Select>
    )
  }
  return (
    <Input
      {...common}
      inputMode={field.kind === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      spellCheck={false}
      placeholder={t('policy.asServer')}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
