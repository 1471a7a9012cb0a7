import { useTranslation } from 'react-i18next'

import { Input } from '@/components/ui'

import { MODEL_FIELDS, type ModelField, type ModelNames } from './startProblem'

interface Props {
  problems: ModelNames
  onChange: (field: ModelField, name: string) => void
}

/** Who answers and judges; left empty, the policy decides. A name counts when it is written to its
 * end, because each one is priced. */
export function ModelFields({ problems, onChange }: Props) {
  const { t } = useTranslation('runs')
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      {MODEL_FIELDS.map((field) => (
        <Input
          key={field}
          label={t(`start.${field}`)}
          hint={t(`start.${field}_hint`)}
          error={problems[field]}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          onBlur={({ target }) => onChange(field, target.value.trim())}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            onChange(field, event.currentTarget.value.trim())
          }}
        />
      ))}
    </div>
  )
}
