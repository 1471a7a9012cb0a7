import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui/button'
import { Input, Select } from '@/components/ui/field'
import { useNotebooks } from '@/hooks/useNotebooks'

import { CHOICES, countOf, FILTERS, SCORES, type Choice } from './filters'

interface Props {
  params: URLSearchParams
  onChange: (changes: Record<string, string | undefined>) => void
}

const MORE: readonly Choice[] = [
  ...(['judged_by', 'degraded', 'feature', 'lang'] as const),
  ...(['has_issues', 'labelled', 'current'] as const),
]

export function FilterBar({ params, onChange }: Props) {
  const { t } = useTranslation('evaluations')
  const count = countOf(params)
  return (
    <search aria-label={t('filters.label')} className="mb-4 grid gap-3">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <TextFilter key={`q ${params.get('question')}`} name="question" {...{ params, onChange }} />
        <ChoiceFilter name="status" {...{ params, onChange }} />
        <ChoiceFilter name="confidence" {...{ params, onChange }} />
        <Select
          label={t('filters.order')}
          value={params.get('order') === 'worst' ? 'worst' : 'newest'}
          onChange={(event) => {
            onChange({ order: event.target.value === 'worst' ? 'worst' : undefined })
          }}
        >
          <option value="newest">{t('filters.newest')}</option>
          <option value="worst">{t('filters.worst')}</option>
        </Select>
      </div>
      <details>
        <summary className="min-h-6 text-sm font-medium">{t('filters.more')}</summary>
        <div className="mt-3 grid grid-cols-2 gap-3 lg:grid-cols-4">
          {(['since', 'until'] as const).map((name) => (
            <Input
              key={name}
              type="date"
              label={t(`filters.${name}`)}
              value={params.get(name) ?? ''}
              onChange={(event) => {
                onChange({ [name]: event.target.value })
              }}
            />
          ))}
          <NotebookFilter {...{ params, onChange }} />
          {MORE.map((name) => (
            <ChoiceFilter key={name} name={name} {...{ params, onChange }} />
          ))}
          {(['judge_model', 'answer_model', ...SCORES] as const).map((name) => (
            <TextFilter key={`${name} ${params.get(name)}`} name={name} {...{ params, onChange }} />
          ))}
        </div>
      </details>
      {count > 0 && (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          {t('filters.count', { count })}
          <Button
            variant="outline"
            size="sm"
            onClick={() => {
              onChange(Object.fromEntries(FILTERS.map((name) => [name, undefined])))
            }}
          >
            {t('filters.clear')}
          </Button>
        </p>
      )}
    </search>
  )
}

function ChoiceFilter({ name, params, onChange }: Props & { name: Choice }) {
  const { t } = useTranslation('evaluations')
  const options: readonly string[] = CHOICES[name]
  const binary = options.includes('true')
  return (
    <Select
      label={t(`filters.${name}`)}
      value={params.get(name) ?? ''}
      onChange={(event) => {
        onChange({ [name]: event.target.value })
      }}
    >
      <option value="">{t('filters.all')}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {t(`options.${(binary ? option : `${name}.${option}`) as 'true'}`)}
        </option>
      ))}
    </Select>
  )
}

function NotebookFilter({ params, onChange }: Props) {
  const { t } = useTranslation('evaluations')
  const { data: notebooks = [] } = useNotebooks()
  return (
    <Select
      label={t('filters.notebook_id')}
      value={params.get('notebook_id') ?? ''}
      onChange={(event) => {
        onChange({ notebook_id: event.target.value })
      }}
    >
      <option value="">{t('filters.all')}</option>
      {notebooks.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}

type TextName = 'question' | 'judge_model' | 'answer_model' | (typeof SCORES)[number]

/** Taken over when it is left or by Enter, so that not every letter is asked for. */
function TextFilter({ name, params, onChange }: Props & { name: TextName }) {
  const { t } = useTranslation('evaluations')
  const [text, setText] = useState(params.get(name) ?? '')
  const take = () => {
    if (text !== (params.get(name) ?? '')) onChange({ [name]: text })
  }
  const isScore = SCORES.some((score) => score === name)
  return (
    <Input
      label={t(`filters.${name}`)}
      {...(isScore && { type: 'number', min: 0, max: 1, step: 0.05 })}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
      }}
      onBlur={take}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) take()
      }}
    />
  )
}
