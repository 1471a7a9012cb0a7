import { useTranslation } from 'react-i18next'

import { DataTable } from '@/components/page'
import { Card, CardTitle } from '@/components/ui'
import { count } from '@/lib/figures'

import type { System } from './api/system'
import { size } from './format'

/** What the database holds, and the versions of all that runs. */
export function Database({ system }: { system: System }) {
  const { t, i18n } = useTranslation('system')
  const { versions } = system
  const shown = [
    [t('versions.release'), versions.release],
    [t('versions.schema'), versions.schema_revision],
    ['PostgreSQL', versions.postgresql],
    ['Redis', versions.redis ?? t('versions.unreachable')],
    [t('database.total'), size(system.database_bytes, i18n.language)],
  ] as const
  return (
    <Card aria-labelledby="database-title">
      <CardTitle id="database-title">{t('database.title')}</CardTitle>
      <dl className="mb-4 flex flex-wrap gap-x-8 gap-y-3 text-sm">
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <DataTable
        caption={t('database.tables')}
        showCaption
        rows={system.tables}
        rowKey={({ name }) => name}
        columns={[
          {
            key: 'name',
            header: t('database.table'),
            nowrap: true,
            cell: ({ name, parts }) =>
              parts > 0 ? t('database.partitioned', { name, count: parts }) : name,
          },
          {
            key: 'size',
            header: t('database.size'),
            numeric: true,
            cell: (table) => size(table.total_bytes, i18n.language),
          },
          {
            key: 'indexes',
            header: t('database.indexes'),
            numeric: true,
            cell: (table) => size(table.index_bytes, i18n.language),
          },
          {
            key: 'rows',
            header: t('database.rows'),
            numeric: true,
            cell: (table) => count(table.estimated_rows),
          },
        ]}
      />
    </Card>
  )
}
