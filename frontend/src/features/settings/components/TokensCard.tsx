import { useTranslation } from 'react-i18next'

import { type Column, DataTable, EmptyState, ErrorState } from '@/components/page'
import { Badge, Card, CardTitle, Spinner } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { useTokens } from '../api/tokens'

import { CreateToken } from './CreateToken'
import { RevokeToken } from './RevokeToken'
import { RotateToken } from './RotateToken'

type Token = Schema<'TokenRead'>
const LOOKS = { valid: 'success', expired: 'neutral', revoked: 'danger' } as const

/** Tokens by which other programs ask; only those who may change them see them. */
export function TokensCard() {
  const { t, i18n } = useTranslation('settings')
  const { data: tokens, error, refetch } = useTokens()
  const day = (written: string | null, otherwise: string) =>
    written ? new Date(written).toLocaleDateString(i18n.language) : otherwise
  const columns: Column<Token>[] = [
    {
      key: 'name',
      header: t('tokens.name'),
      cell: ({ name, current }) => (
        <span className="flex flex-wrap items-center gap-2">
          {name} {current && <Badge variant="info">{t('tokens.current')}</Badge>}
        </span>
      ),
    },
    {
      key: 'state',
      header: t('tokens.state'),
      cell: ({ state }) => <Badge variant={LOOKS[state]}>{t(`tokens.states.${state}`)}</Badge>,
    },
    {
      key: 'scopes',
      header: t('scopes.label'),
      cell: ({ scopes }) => scopes.map((scope) => t(`scopes.${scope}`)).join(', '),
    },
    {
      key: 'expires',
      header: t('tokens.expires'),
      cell: ({ expires_at }) => day(expires_at, t('tokens.never')),
      nowrap: true,
    },
    {
      key: 'used',
      header: t('tokens.used'),
      cell: ({ last_used_at }) => day(last_used_at, t('tokens.notYet')),
      nowrap: true,
    },
    {
      key: 'action',
      header: t('tokens.action'),
      cell: (token) =>
        token.state === 'valid' && (
          <div className="flex gap-2">
            <RotateToken token={token} />
            <RevokeToken token={token} />
          </div>
        ),
    },
  ]
  return (
    <Card aria-labelledby="tokens-title">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <CardTitle id="tokens-title">{t('tokens.title')}</CardTitle>
        {tokens && <CreateToken />}
      </div>
      <p className="text-muted-foreground mb-4 text-sm">{t('tokens.lead')}</p>
      {!tokens && (error ? <ErrorState error={error} onRetry={refetch} /> : <Spinner />)}
      {tokens?.items.length === 0 && <EmptyState title={t('tokens.none')} />}
      {tokens && tokens.items.length > 0 && (
        <div className="[&_table]:min-w-2xl">
          <DataTable
            caption={t('tokens.title')}
            columns={columns}
            rows={tokens.items}
            rowKey={({ id }) => id}
          />
        </div>
      )}
    </Card>
  )
}
