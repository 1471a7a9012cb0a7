import { useTranslation } from 'react-i18next'

import { DataTable, EmptyState } from '@/components/page'
import { Badge, Card } from '@/components/ui'
import { count, moment } from '@/lib/figures'

import type { Process } from './api/system'
import { age } from './format'

/** The processes that report, and those that have stopped reporting within the last hour. */
export function Processes({ processes }: { processes: Process[] }) {
  const { t } = useTranslation('system')
  const ago = (seconds: number) => t('processes.ago', { time: age(Math.round(seconds)) })
  const lastWork = ({ claim_seconds: claim, tick_seconds: tick }: Process) => {
    if (claim !== null) return t('processes.claimed', { ago: ago(claim) })
    return tick === null ? '–' : t('processes.ticked', { ago: ago(tick) })
  }
  return (
    <Card title={t('processes.title')}>
      {processes.length === 0 ? (
        <EmptyState title={t('processes.empty')} />
      ) : (
        <DataTable
          caption={t('processes.title')}
          rows={processes}
          rowKey={(row) => `${row.hostname} ${row.pid} ${row.started_at}`}
          columns={[
            {
              header: t('processes.kind'),
              nowrap: true,
              cell: (row) => t(`processes.kinds.${row.kind}`),
            },
            {
              header: t('processes.state'),
              nowrap: true,
              cell: (row) => (
                <Badge variant={row.lives ? 'success' : 'danger'}>
                  {row.lives
                    ? t('processes.lives')
                    : t('processes.silent', { ago: ago(row.seen_seconds) })}
                </Badge>
              ),
            },
            {
              header: t('processes.queues'),
              nowrap: true,
              cell: (row) => row.queues.join(', ') || '–',
            },
            {
              header: t('processes.inFlight'),
              numeric: true,
              cell: (row) => (row.kind === 'worker' ? count(row.in_flight) : '–'),
            },
            { header: t('processes.work'), nowrap: true, cell: lastWork },
            {
              header: t('processes.host'),
              nowrap: true,
              cell: (row) => `${row.hostname} (${row.pid})`,
            },
            { header: t('versions.release'), cell: (row) => row.release },
            { header: t('processes.started'), nowrap: true, cell: (row) => moment(row.started_at) },
          ]}
        />
      )}
    </Card>
  )
}
