import type { ChangeEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Input, Select } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'

import { isAge, MAX_CATEGORY, MAX_NAME, MAX_PROFILE, type Asked } from './asked'

interface Props {
  value: Asked
  onChange: (value: Asked) => void
}

/** What is asked, and by whom. */
export function Options({ value, onChange }: Props) {
  const { t } = useTranslation('chat')
  const { data: notebooks, error, refetch } = useNotebooks()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      <Select
        label={t('notebook')}
        value={value.notebookId}
        onValue={(notebookId) => onChange({ ...value, notebookId })}
        options={
          notebooks?.map(({ id, name, notes }) => ({
            value: id,
            text: t('notebookOption', { name, count: notes }),
          })) ?? []
        }
        none={t('allNotebooks')}
      />
      <Input
        label={t('profile')}
        hint={t('profileHint')}
        maxLength={MAX_PROFILE}
        value={value.profile}
        onChange={({ target }) => onChange({ ...value, profile: target.value })}
      />
      <details className="sm:col-span-2">
        <summary className="min-h-6 text-sm font-medium">{t('more')}</summary>
        <Details value={value} onChange={onChange} />
      </details>
    </div>
  )
}

/** What is known of the asker, and what another program has found the question to be about. */
function Details({ value, onChange }: Props) {
  const { t } = useTranslation('chat')
  const field = (name: Exclude<keyof Asked, 'notebookId' | 'profile'>, maxLength: number) => ({
    label: t(name),
    maxLength,
    value: value[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
      onChange({ ...value, [name]: target.value }),
  })
  const ageIsWrong = value.age.trim() !== '' && !isAge(value.age)
  return (
    <div className="mt-3 grid items-start gap-3 sm:grid-cols-2">
      <Input
        {...field('age', 3)}
        inputMode="numeric"
        error={ageIsWrong ? t('ageMistake') : undefined}
      />
      <Input {...field('sex', MAX_NAME)} />
      <Input {...field('conditions', MAX_PROFILE)} hint={t('several')} />
      <Input {...field('medications', MAX_PROFILE)} hint={t('several')} />
      <Input {...field('major', MAX_CATEGORY)} hint={t('majorHint')} />
      <Input {...field('minor', MAX_CATEGORY)} />
    </div>
  )
}
