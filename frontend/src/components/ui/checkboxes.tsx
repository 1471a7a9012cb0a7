import type { ReactNode } from 'react'

import { cn } from '@/lib/cn'

interface CheckboxProps {
  checked: boolean
  onChange: (checked: boolean) => void
  className?: string
  children: ReactNode
}

/** Yes or no. */
export function Checkbox({ checked, onChange, className, children }: CheckboxProps) {
  return (
    <label className={cn('flex items-start gap-2 text-sm', className)}>
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {children}
    </label>
  )
}

interface Option<Value> {
  value: Value
  text: string
}

interface Props<Value> {
  label: string
  hint?: string
  className?: string
  options: readonly Option<Value>[]
  value: readonly Value[]
  onValue: (value: readonly Value[]) => void
}

/** Several of a few values. */
export function Checkboxes<Value extends string>({
  label,
  hint,
  className,
  options,
  value,
  onValue,
}: Props<Value>) {
  return (
    <fieldset className={cn('grid content-start gap-1 text-sm', className)}>
      <legend className="mb-1 font-medium">{label}</legend>
      {options.map(({ value: each, text }) => (
        <Checkbox
          key={each}
          checked={value.includes(each)}
          onChange={(checked) => {
            const others = value.filter((other) => other !== each)
            onValue(checked ? [...others, each] : others)
          }}
        >
          {text}
        </Checkbox>
      ))}
      {hint !== undefined && <p className="text-muted-foreground col-span-full">{hint}</p>}
    </fieldset>
  )
}
