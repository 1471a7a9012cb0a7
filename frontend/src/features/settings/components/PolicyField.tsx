import { useId } from 'react'
import { useTranslation } from 'react-i18next'

import { Checkbox, Input, Select } from '@/components/ui'
import { useJudgePrompts } from '@/hooks/useJudgePrompts'
import { useNotebooks } from '@/hooks/workspace'
import { cn } from '@/lib/cn'

import type { Field, Settings } from '../api/policy'
import { FIELDS, type Written } from '../policyFields'
import { useShown } from '../useShown'

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
      <Select
        {...common}
        value={text}
        onValue={onChange}
        options={[...field.values, ...own].map((each) => ({
          value: each,
          text: showOption(name, each),
        }))}
        none={t('policy.asServer')}
      />
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

interface SeveralFieldProps {
  label: string
  hint: string
  error: string | undefined
  options: readonly { value: string; text: string }[]
  /** null leaves it to the server. */
  value: readonly string[] | null
  onChange: (value: readonly string[] | null) => void
}

/** Several of a few values, or what the server says. */
function SeveralField({ label, hint, error, options, value, onChange }: SeveralFieldProps) {
  const { t } = useTranslation('settings')
  const id = useId()
  const chosen = value ?? []
  const rows = [
    {
      key: '',
      text: t('policy.asServer'),
      checked: value === null,
      toggle: () => onChange(value === null ? [] : null),
    },
    ...options.map((option) => ({
      key: option.value,
      text: option.text,
      checked: chosen.includes(option.value),
      toggle: () => {
        const others = chosen.filter((each) => each !== option.value)
        onChange(others.length < chosen.length ? others : [...chosen, option.value])
      },
    })),
  ]
  return (
    <fieldset aria-describedby={id} className="grid content-start gap-1 text-sm">
      <legend className="mb-1 font-medium">{label}</legend>
      <div className="border-border grid max-h-64 gap-1 overflow-y-auto rounded-md border p-2">
        {rows.map(({ key, text, checked, toggle }) => (
          <Checkbox key={key} className="py-0.5" checked={checked} onChange={toggle}>
            {text}
          </Checkbox>
        ))}
      </div>
      <p id={id} className={cn(error === undefined ? 'text-muted-foreground' : 'text-danger')}>
        {error ?? hint}
      </p>
    </fieldset>
  )
}
