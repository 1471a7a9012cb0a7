import { useTranslation } from 'react-i18next'

import { Input } from '@/components/ui'

import type { Wanted } from '../api/reservations'

import type { LabelSettings } from './useLabelSettings'

const SOURCES = ['drawn', 'doubtful', 'chosen'] as const

interface Props {
  source: Wanted['source']
  /** How many were chosen in the list. */
  chosen: number
  again: boolean
  onSource: (source: Wanted['source']) => void
  onAgain: (again: boolean) => void
  /** Under which name labels are stored, once the server has said so. */
  author: string | null
  settings: LabelSettings
  onChange: (changes: Partial<LabelSettings>) => void
}

/** Which answers come, and how they are shown. */
export function LabelOptions({ source, chosen, again, onSource, onAgain, ...rest }: Props) {
  const { t } = useTranslation('evaluations')
  const { author, settings, onChange } = rest
  return (
    <div className="mb-4 grid gap-3 text-sm">
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="sr-only">{t('label.source.legend')}</legend>
        {SOURCES.filter((each) => each !== 'chosen' || chosen > 0).map((each) => (
          <Option
            key={each}
            type="radio"
            name="source"
            text={t(`label.source.${each}`, { count: chosen })}
            hint={t(`label.source.${each}Hint`)}
            checked={source === each}
            onChange={() => onSource(each)}
          />
        ))}
      </fieldset>
      <details className="border-border rounded-md border px-3 py-2">
        <summary className="font-medium">
          {t('label.options')}
          {author !== null && (
            <span className="text-muted-foreground font-normal">
              {' · '}
              {t('label.labelsAs', { author })}
              {again && ` · ${t('label.second')}`}
            </span>
          )}
        </summary>
        <div className="mt-3 grid gap-3 lg:grid-cols-2">
          <Option
            text={t('label.hide')}
            hint={t('label.hideHint')}
            checked={settings.hidden}
            onChange={(hidden) => onChange({ hidden })}
          />
          {source !== 'chosen' && (
            <Option
              text={t('label.again')}
              hint={t('label.againHint')}
              checked={again}
              onChange={onAgain}
            />
          )}
          <Option
            text={t('label.keys')}
            hint={t('label.keysHint')}
            checked={settings.keys}
            onChange={(keys) => onChange({ keys })}
          />
          <Input
            label={t('label.author')}
            hint={t('label.authorHint')}
            maxLength={200}
            defaultValue={settings.author}
            onBlur={({ target }) => onChange({ author: target.value.trim() })}
            onKeyDown={({ key, currentTarget }) => {
              if (key === 'Enter') currentTarget.blur()
            }}
          />
        </div>
      </details>
    </div>
  )
}

interface OptionProps {
  type?: 'checkbox' | 'radio'
  name?: string
  text: string
  hint: string
  checked: boolean
  onChange: (checked: boolean) => void
}

function Option({ type = 'checkbox', text, hint, onChange, ...rest }: OptionProps) {
  return (
    <label className="flex items-start gap-2">
      <input
        type={type}
        className="mt-0.5 size-4 shrink-0"
        {...rest}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        <span className="font-medium">{text}</span>
        <span className="text-muted-foreground block">{hint}</span>
      </span>
    </label>
  )
}
