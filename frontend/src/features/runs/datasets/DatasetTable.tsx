import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { type Column } from '@/components/page'
import type { Schema } from '@/lib/api'

import { WideTable } from '../WideTable'
import { count, moment } from '../figures'

import { DeleteDataset } from './DeleteDataset'
import { ExportLinks } from './ExportLinks'
import { ReviewState } from './ReviewState'

type Dataset = Schema<'DatasetView'>

export function DatasetTable({ datasets }: { datasets: readonly Dataset[] }) {
  const { t } = useTranslation('runs')
  const columns: Column<Dataset>[] = [
    {
      key: 'name',
      header: t('datasets.name'),
      cell: ({ id, name }) => (
        <Link className="text-primary underline underline-offset-2" to={`/datasets/${id}`}>
          {name}
        </Link>
      ),
    },
    { key: 'version', header: t('datasets.version'), cell: ({ version }) => `v${version}` },
    {
      key: 'cases',
      header: t('datasets.cases'),
      cell: ({ cases }) => count(cases),
      numeric: true,
    },
    {
      key: 'review',
      header: t('datasets.review'),
      cell: ({ review }) => <ReviewState review={review} />,
    },
    {
      key: 'created',
      header: t('datasets.created'),
      cell: ({ created_at }) => moment(created_at),
      nowrap: true,
    },
    {
      key: 'export',
      header: t('datasets.export'),
      cell: (dataset) => <ExportLinks dataset={dataset} />,
    },
    {
      key: 'actions',
      header: t('datasets.actions'),
      cell: (dataset) => <DeleteDataset dataset={dataset} />,
    },
  ]
  return (
    <WideTable
      caption={t('datasets.caption')}
      columns={columns}
      rows={datasets}
      rowKey={({ id }) => id}
    />
  )
}
