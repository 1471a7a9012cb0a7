import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { ErrorState } from '@/components/ErrorState'
import { Input, Select } from '@/components/ui/field'
import { useNotebooks } from '@/hooks/useNotebooks'

export interface Asked {
  /** Empty: all notebooks. */
  notebookId: string
  profile: string
}

interface Props {
  value: Asked
  onChange: (value: Asked) => void
}

// As the API limits it.
const MAX_PROFILE = 1000

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
        onChange={({ target }) => {
          onChange({ ...value, notebookId: target.value })
        }}
      >
        <option value="">{t('allNotebooks')}</option>
        {notebooks?.map(({ id, name, notes }) => (
          <option key={id} value={id}>
            {t('notebookOption', { name, count: notes })}
          </option>
        ))}
      </Select>
      <Input
        label={t('profile')}
        hint={t('profileHint')}
        maxLength={MAX_PROFILE}
        value={value.profile}
        onChange={({ target }) => {
          onChange({ ...value, profile: target.value })
        }}
      />
      {notebooks?.length === 0 && (
        <p className="text-muted-foreground text-sm sm:col-span-2">
          {t('noNotebooks')}{' '}
          <Link to="/notes" className="text-primary underline">
            {t('importNotes')}
          </Link>
        </p>
      )}
    </div>
  )
}
