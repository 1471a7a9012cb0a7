import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Checkboxes, Input, Select } from '@/components/ui'
import type { Schema } from '@/lib/api'

interface Props {
  error: unknown
  isPending: boolean
  onCreate: (body: Schema<'TokenCreate'>) => void
}

const SCOPES = ['read', 'write', 'admin'] as const
const LIFETIMES = [30, 90, 365]

export function TokenForm({ error, isPending, onCreate }: Props) {
  const { t } = useTranslation('settings')
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly (typeof SCOPES)[number][]>(['read'])
  const [days, setDays] = useState('90')
  const whole = name.trim() !== '' && scopes.length > 0
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        const expires = days === '' ? null : Number(days)
        onCreate({ name: name.trim(), scopes: [...scopes], expires_in_days: expires })
      }}
    >
      <Input
        label={t('tokens.name')}
        hint={t('tokens.nameHint')}
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Checkboxes
        label={t('scopes.label')}
        options={SCOPES.map((value) => ({ value, text: t(`scopes.${value}`) }))}
        value={scopes}
        onChange={setScopes}
      />
      <Select
        label={t('tokens.lifetime')}
        value={days}
        onChange={(event) => setDays(event.target.value)}
      >
        {LIFETIMES.map((count) => (
          <option key={count} value={count}>
            {t('tokens.days', { count })}
          </option>
        ))}
        <option value="">{t('tokens.never')}</option>
      </Select>
      {error !== null && <ErrorState error={error} />}
      <Button type="submit" className="justify-self-end" disabled={!whole || isPending}>
        {t('tokens.make')}
      </Button>
    </form>
  )
}
