import { Plug } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { type Column, ConfirmDialog, RequestForm, WideTable } from '@/components/page'
import { AddButton, Badge, ButtonLink, Input, Select, TriggeredDialog } from '@/components/ui'
import { useDraft } from '@/hooks/useDraft'
import type { Schema } from '@/lib/api'
import { localDate } from '@/lib/figures'
import { ApiError } from '@/lib/problem'

import { useCreateToken, useRevokeToken, useRotateToken, useTokens } from '../api/tokens'

import { ListCard } from './ListCard'
import { NewSecret } from './NewSecret'
import { RotateDialog } from './RotateDialog'

type Token = Schema<'TokenRead'>
const LOOKS = { valid: 'success', expired: 'neutral', revoked: 'danger' } as const

/** Tokens by which other programs ask; only those who may change them see them. */
export function TokensCard() {
  const { t } = useTranslation('settings')
  const day = (written: string | null, otherwise: string) =>
    written ? localDate(written) : otherwise
  const columns: Column<Token>[] = [
    [
      t('tokens.name'),
      ({ name, current }) => (
        <span className="flex flex-wrap items-center gap-2">
          {name} {current && <Badge variant="info">{t('tokens.current')}</Badge>}
        </span>
      ),
    ],
    [
      t('tokens.state'),
      ({ state }) => <Badge variant={LOOKS[state]}>{t(`tokens.states.${state}`)}</Badge>,
    ],
    [t('scopes.label'), ({ scopes }) => scopes.map((scope) => t(`scopes.${scope}`)).join(', ')],
    [t('tokens.expires'), ({ expires_at }) => day(expires_at, t('tokens.never')), 'nowrap'],
    [t('tokens.used'), ({ last_used_at }) => day(last_used_at, t('tokens.notYet')), 'nowrap'],
    [
      t('tokens.action'),
      (token) =>
        token.state === 'valid' && (
          <div className="flex gap-2">
            <RotateToken token={token} />
            <RevokeToken token={token} />
          </div>
        ),
    ],
  ]
  return (
    <ListCard
      of="tokens"
      list={useTokens()}
      actions={
        <>
          <ButtonLink size="sm" to="/connect" icon={Plug}>
            {t('connect.title')}
          </ButtonLink>
          <CreateToken />
        </>
      }
    >
      {(rows) =>
        rows.length > 0 && <WideTable caption={t('tokens.title')} columns={columns} rows={rows} />
      }
    </ListCard>
  )
}

// The least that the server accepts is an hour.
const HOURS = [1, 24, 72, 168]

/** A new token like this one, which still works for a while. */
function RotateToken({ token: { id, name } }: { token: Schema<'TokenRead'> }) {
  const { t } = useTranslation('settings')
  const request = useRotateToken(id)
  const made = request.data
  return (
    <RotateDialog
      action={t('tokens.rotate')}
      title={t('tokens.rotateOne', { name })}
      description={t('tokens.rotateText')}
      overlap={t('tokens.overlap')}
      hours={HOURS}
      made={made && { label: t('tokens.made', { name }), secret: made.token }}
      request={request}
      onOpenChange={request.reset}
    />
  )
}

/** A dialog that makes a token and shows it once; closing it forgets the token. */
function CreateToken() {
  const { t } = useTranslation('settings')
  const create = useCreateToken()
  const made = create.data
  return (
    <TriggeredDialog
      title={t('tokens.create')}
      trigger={<AddButton>{t('tokens.create')}</AddButton>}
      onOpenChange={create.reset}
    >
      {made ? (
        <NewSecret label={t('tokens.made', { name: made.name })} secret={made.token} />
      ) : (
        <TokenForm request={create} />
      )}
    </TriggeredDialog>
  )
}

/** Asks before it revokes, and once more when no other token could manage the workspace. */
function RevokeToken({ token: { id, name, current } }: { token: Schema<'TokenRead'> }) {
  const { t } = useTranslation('settings')
  const revoke = useRevokeToken()
  const isLast = revoke.error instanceof ApiError && revoke.error.code === 'last-admin-token'
  return (
    <ConfirmDialog
      trigger={t('tokens.revokeOne', { name })}
      title={t('tokens.revokeTitle', { name })}
      description={t(current ? 'tokens.revokeCurrent' : 'tokens.revokeText')}
      action={t(isLast ? 'tokens.revokeAnyway' : 'tokens.revoke')}
      request={revoke}
      input={{ id, evenLastAdmin: isLast }}
      done={t('tokens.revoked', { name })}
    />
  )
}

// What a token is for, with the scopes that it takes.
const PURPOSES = {
  send: ['read', 'write'],
  read: ['read'],
  manage: ['read', 'write', 'admin'],
} as const
const LIFETIMES = [30, 90, 365]

interface TokenDraft {
  name: string
  purpose: keyof typeof PURPOSES
  days: number | ''
}

function TokenForm({ request }: { request: ReturnType<typeof useCreateToken> }) {
  const { t } = useTranslation('settings')
  const { draft, field } = useDraft<TokenDraft>({ name: '', purpose: 'send', days: 90 })
  const name = draft.name.trim()
  return (
    <RequestForm
      request={request}
      action={t('tokens.make')}
      disabled={name === ''}
      onSubmit={() =>
        request.mutate({
          name,
          scopes: [...PURPOSES[draft.purpose]],
          expires_in_days: draft.days === '' ? null : draft.days,
        })
      }
    >
      <Input
        label={t('tokens.name')}
        hint={t('tokens.nameHint')}
        maxLength={100}
        autoComplete="off"
        {...field('name')}
      />
      <Select
        label={t('tokens.purpose')}
        hint={t('tokens.operates')}
        options={(Object.keys(PURPOSES) as TokenDraft['purpose'][]).map((value) => ({
          value,
          text: t(`tokens.purposes.${value}`),
        }))}
        {...field('purpose')}
      />
      <Select
        label={t('tokens.lifetime')}
        options={[
          ...LIFETIMES.map((count) => ({ value: count, text: t('tokens.days', { count }) })),
          { value: '', text: t('tokens.never') },
        ]}
        {...field('days')}
      />
    </RequestForm>
  )
}
