import { cn } from '@/lib/cn'

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
  onChange: (value: readonly Value[]) => void
}

/** Several of a few values. */
export function Checkboxes<Value extends string>({
  label,
  hint,
  className,
  options,
  value,
  onChange,
}: Props<Value>) {
  return (
    <fieldset className={cn('grid content-start gap-1 text-sm', className)}>
      <legend className="mb-1 font-medium">{label}</legend>
      {options.map(({ value: each, text }) => (
        <label key={each} className="flex items-start gap-2">
          <input
            type="checkbox"
            className="mt-0.5 size-4 shrink-0"
            checked={value.includes(each)}
            onChange={({ target }) => {
              const others = value.filter((other) => other !== each)
              onChange(target.checked ? [...others, each] : others)
            }}
          />
          {text}
        </label>
      ))}
      {hint !== undefined && <p className="text-muted-foreground col-span-full">{hint}</p>}
    </fieldset>
  )
}
