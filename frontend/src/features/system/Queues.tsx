import { useTranslation } from 'react-i18next'

import { DataTable, EmptyState } from '@/components/page'
import { Badge, Card, CardTitle } from '@/components/ui'
import { count } from '@/lib/figures'

import type { Queue } from './api/system'
import { age } from './format'

/** The verdicts that wait and that are being judged, by queue and judge. */
export function Queues({ queues }: { queues: Queue[] | null }) {
  const { t, i18n } = useTranslation('system')
  return (
    <Card aria-labelledby="queues-title">
      <CardTitle id="queues-title">{t('queues.title')}</CardTitle>
      {queues === null && <p className="text-sm">{t('queues.unknown')}</p>}
      {queues?.length === 0 && <EmptyState title={t('queues.empty')} />}
      {!!queues?.length && (
        <DataTable
          caption={t('queues.title')}
          rows={queues}
          rowKey={(row) => `${row.queue} ${row.judge_model}`}
          columns={[
            {
              key: 'queue',
              header: t('queues.queue'),
              nowrap: true,
              cell: (row) => t(`queues.names.${row.queue}`),
            },
            {
              key: 'judge',
              header: t('judges.judge'),
              nowrap: true,
              cell: (row) => (
                <>
                  {row.judge_model}{' '}
                  {row.paused !== null && <Badge variant="warning">{t('judges.paused')}</Badge>}
                </>
              ),
            },
            { key: 'due', header: t('queues.due'), numeric: true, cell: (row) => count(row.due) },
            {
              key: 'oldest',
              header: t('queues.oldest'),
              numeric: true,
              cell: (row) => age(row.oldest_seconds, i18n.language),
            },
            {
              key: 'running',
              header: t('queues.running'),
              numeric: true,
              cell: (row) => count(row.running),
            },
            {
              key: 'expired',
              header: t('queues.expired'),
              numeric: true,
              cell: (row) => count(row.expired),
            },
          ]}
        />
      )}
    </Card>
  )
}
