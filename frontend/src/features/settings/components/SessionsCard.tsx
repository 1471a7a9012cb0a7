import { useTranslation } from 'react-i18next'

import { type Column, ConfirmDialog, WideTable } from '@/components/page'
import { Badge, Button } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { localTime } from '@/lib/figures'

import { useRevokeToken, useSessions } from '../api/tokens'

import { ListCard } from './ListCard'

type Session = Schema<'TokenRead'>

/** Who is logged in now; only those who may end a session see it. */
export function SessionsCard() {
  const { t } = useTranslation('settings')
  const columns: Column<Session>[] = [
    {
      header: t('tokens.name'),
      cell: ({ name, current }) => (
        <span className="flex flex-wrap items-center gap-2">
          {name} {current && <Badge variant="info">{t('sessions.current')}</Badge>}
        </span>
      ),
    },
    {
      header: t('sessions.by'),
      cell: ({ subject }) => t(subject === null ? 'sessions.link' : 'sessions.company'),
    },
    {
      header: t('scopes.label'),
      cell: ({ scopes }) => scopes.map((scope) => t(`scopes.${scope}`)).join(', '),
    },
    {
      header: t('tokens.expires'),
      cell: ({ expires_at: at }) => at && localTime(at),
      nowrap: true,
    },
    {
      header: t('tokens.used'),
      cell: ({ last_used_at: at }) => (at ? localTime(at) : t('tokens.notYet')),
      nowrap: true,
    },
    { header: t('tokens.action'), cell: (session) => <EndSession session={session} /> },
  ]
  return (
    <ListCard of="sessions" list={useSessions()}>
      {(rows) =>
        rows.length > 0 && (
          <WideTable
            caption={t('sessions.title')}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
          />
        )
      }
    </ListCard>
  )
}

function EndSession({ session: { id, name, current } }: { session: Session }) {
  const { t } = useTranslation('settings')
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" aria-label={t('sessions.endOne', { name })}>
          {t('sessions.end')}
        </Button>
      }
      title={t('sessions.endTitle', { name })}
      description={t(current ? 'sessions.endCurrent' : 'sessions.endText')}
      action={t('sessions.end')}
      request={useRevokeToken()}
      input={{ id, evenLastAdmin: false }}
      done={t('sessions.ended', { name })}
    />
  )
}
