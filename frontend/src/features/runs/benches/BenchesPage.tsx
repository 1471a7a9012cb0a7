import { useTranslation } from 'react-i18next'

import { type Column, EmptyState, PagedList, PageHeader, WideTable } from '@/components/page'
import { TextLink } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { judgeName } from '@/lib/names'

import { RunStatus } from '../RunStatus'
import { useBenches } from '../api/benches'
import { count, figure, moment } from '../figures'

import { StartBench } from './StartBench'

export function BenchesPage() {
  const { t } = useTranslation('runs')
  const benches = useBenches()
  return (
    <>
      <PageHeader title={t('benches.title')} lead={t('benches.lead')}>
        <StartBench />
      </PageHeader>
      <div className="grid grid-cols-1 gap-4">
        <PagedList
          list={benches}
          empty={<EmptyState title={t('benches.empty')} text={t('benches.emptyText')} />}
        >
          {(found) => <BenchTable benches={found} />}
        </PagedList>
      </div>
    </>
  )
}

/** A row for each judge of a bench. */
function BenchTable({ benches }: { benches: readonly Schema<'BenchRow'>[] }) {
  const { t } = useTranslation('runs')
  const rows = benches.flatMap((bench) => bench.judges.map((judge) => ({ bench, judge })))
  type Row = (typeof rows)[number]
  const of = ({ bench, judge }: Row) => bench.figures.find((each) => each.judge === judge)
  const columns: Column<Row>[] = [
    {
      header: t('benches.name'),
      cell: ({ bench }) => <TextLink to={`/benches/${bench.id}`}>{bench.name}</TextLink>,
    },
    { header: t('benches.judge'), cell: ({ judge }) => judgeName(judge) },
    {
      header: t('benches.source'),
      cell: ({ bench }) => `${t(`benches.sources.${bench.source}`)} (${count(bench.items)})`,
    },
    { header: t('list.status'), cell: ({ bench }) => <RunStatus status={bench.status} /> },
    { header: 'F1', cell: (row) => figure(of(row)?.f1.value), numeric: true },
    { header: 'AUROC', cell: (row) => figure(of(row)?.auroc.value), numeric: true },
    { header: t('list.when'), cell: ({ bench }) => moment(bench.created_at), nowrap: true },
  ]
  return (
    <WideTable
      caption={t('benches.caption')}
      columns={columns}
      rows={rows}
      rowKey={({ bench, judge }) => `${bench.id} ${judge}`}
    />
  )
}
