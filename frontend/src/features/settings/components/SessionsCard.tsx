import { useTranslation } from 'react-i18next'

import { type Column, ConfirmDialog, WideTable } from '@/components/page'
import { Badge } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { localTime } from '@/lib/figures'
import { personName } from '@/lib/names'

import { useRevokeToken, useSessions } from '../api/tokens'

import { ListCard } from './ListCard'

type Session = Schema<'TokenRead'>

/** Who is logged in now; only those who may end a session see it. */
export function SessionsCard() {
  const { t } = useTranslation('settings')
  const columns: Column<Session>[] = [
    [
      t('tokens.name'),
      ({ name, current }) => (
        <span className="flex flex-wrap items-center gap-2">
          {personName(name)} {current && <Badge variant="info">{t('sessions.current')}</Badge>}
        </span>
      ),
    ],
    [t('sessions.by'), ({ subject }) => t(subject === null ? 'sessions.link' : 'sessions.company')],
    [t('scopes.label'), ({ scopes }) => scopes.map((scope) => t(`scopes.${scope}`)).join(', ')],
    [t('tokens.expires'), ({ expires_at: at }) => at && localTime(at), 'nowrap'],
    [
      t('tokens.used'),
      ({ last_used_at: at }) => (at ? localTime(at) : t('tokens.notYet')),
      'nowrap',
    ],
    [t('tokens.action'), (session) => <EndSession session={session} />],
  ]
  return (
    <ListCard of="sessions" list={useSessions()}>
      {(rows) =>
        rows.length > 0 && <WideTable caption={t('sessions.title')} columns={columns} rows={rows} />
      }
    </ListCard>
  )
}

function EndSession({ session: { id, name: stored, current } }: { session: Session }) {
  const { t } = useTranslation('settings')
  const name = personName(stored)
  return (
    <ConfirmDialog
      trigger={t('sessions.endOne', { name })}
      title={t('sessions.endTitle', { name })}
      description={t(current ? 'sessions.endCurrent' : 'sessions.endText')}
      action={t('sessions.end')}
      request={useRevokeToken()}
      input={{ id, evenLastAdmin: false }}
      done={t('sessions.ended', { name })}
    />
  )
}
