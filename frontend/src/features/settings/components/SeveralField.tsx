import { useId } from 'react'
import { useTranslation } from 'react-i18next'

import { cn } from '@/lib/cn'

interface Props {
  label: string
  hint: string
  error: string | undefined
  options: readonly { value: string; text: string }[]
  /** null leaves it to the server. */
  value: readonly string[] | null
  onChange: (value: readonly string[] | null) => void
}

/** Several of a few values, or what the server says. */
export function SeveralField({ label, hint, error, options, value, onChange }: Props) {
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
          <label key={key} className="flex items-start gap-2 py-0.5">
            <input
              type="checkbox"
              className="mt-0.5 size-4 shrink-0"
              checked={checked}
              onChange={toggle}
            />
            {text}
          </label>
        ))}
      </div>
      <p id={id} className={cn(error === undefined ? 'text-muted-foreground' : 'text-danger')}>
        {error ?? hint}
      </p>
    </fieldset>
  )
}
