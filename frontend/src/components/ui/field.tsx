import {
  useId,
  useRef,
  useState,
  type ClipboardEvent,
  type ComponentProps,
  type ReactNode,
} from 'react'
import { useTranslation } from 'react-i18next'

import { cn } from '@/lib/cn'

const CONTROL =
  'bg-card border-input w-full rounded-md border px-3 text-sm disabled:opacity-50 aria-invalid:border-danger'

interface Labelled {
  label: string
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean
  hint?: string | undefined
  error?: string | undefined
}

function Field({
  label,
  hideLabel = false,
  hint,
  error,
  children,
}: Labelled & {
  children: (ids: {
    id: string
    'aria-describedby'?: string
    'aria-invalid': true | undefined
  }) => ReactNode
}) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      {children({
        id,
        // Without a note of the field's own, what the page describes it by stays.
        ...(note !== undefined && { 'aria-describedby': `${id}-note` }),
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={cn('text-sm', error === undefined ? 'text-muted-foreground' : 'text-danger')}
        >
          {note}
        </p>
      )}
    </div>
  )
}

/** Says that the browser left out what was pasted beyond `maxLength`, until the text changes.
 * value: the text where the page holds it, which it may have cleared since. */
function useCutPaste(maxLength = Infinity, value: unknown) {
  const { t, i18n } = useTranslation()
  const [isCut, setIsCut] = useState(false)
  const pasting = useRef(false)
  const hasRoom = typeof value === 'string' && value.length < maxLength
  return {
    cut:
      isCut && !hasRoom
        ? t('pasteCut', { limit: maxLength.toLocaleString(i18n.language) })
        : undefined,
    onPaste: ({
      currentTarget: field,
      clipboardData,
    }: ClipboardEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      const pasted = clipboardData.getData('text').replaceAll('\r\n', '\n').length
      const replaced = (field.selectionEnd ?? 0) - (field.selectionStart ?? 0)
      pasting.current = true
      setIsCut(field.value.length - replaced + pasted > maxLength)
    },
    onInput: () => {
      if (!pasting.current) setIsCut(false)
      pasting.current = false
    },
  }
}

type TextProps<Tag extends 'input' | 'textarea'> = Labelled &
  ComponentProps<Tag> & {
    onValue?: (text: string) => void
    /** A name or an address: neither completed nor corrected. */
    verbatim?: boolean
  }

function textField<Tag extends 'input' | 'textarea'>(Tag: Tag, look: string) {
  return function TextField(props: TextProps<Tag>) {
    const { label, hideLabel, hint, error, className, maxLength, onValue, verbatim, ...rest } =
      props as TextProps<'input'>
    const { cut, ...handlers } = useCutPaste(maxLength, rest.value)
    const Control = Tag as 'input'
    return (
      <Field label={label} hideLabel={hideLabel ?? false} hint={hint} error={error ?? cut}>
        {(ids) => (
          <Control
            className={cn(CONTROL, look, className)}
            {...(verbatim && { autoComplete: 'off', spellCheck: false })}
            {...(onValue && { onChange: ({ target }) => onValue(target.value) })}
            {...{ maxLength, ...rest, ...handlers, ...ids }}
          />
        )}
      </Field>
    )
  }
}

/** Text fields with their labels. */
export const Input = textField('input', 'min-h-10')
export const Textarea = textField('textarea', 'min-h-20 py-2')

interface SelectProps<Value>
  extends Labelled, Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'> {
  value: Value
  options: readonly { value: Value; text: string }[]
  /** The text of a first option that chooses nothing, ''. */
  none?: string | undefined
  onValue: (value: Value) => void
}

/** The browser's own, which phones show as they are used to. */
export function Select<Value extends string | number>(props: SelectProps<Value>) {
  const { label, hideLabel, hint, error, className, options, none, onValue, ...rest } = props
  const all = none === undefined ? options : [{ value: '' as Value, text: none }, ...options]
  return (
    <Field label={label} hideLabel={hideLabel ?? false} hint={hint} error={error}>
      {(ids) => (
        <select
          className={cn(CONTROL, 'min-h-10', className)}
          {...rest}
          {...ids}
          onChange={({ target }) => {
            const chosen = all[target.selectedIndex]
            if (chosen) onValue(chosen.value)
          }}
        >
          {all.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
