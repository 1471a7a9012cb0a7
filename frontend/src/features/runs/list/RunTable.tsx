import { useTranslation } from 'react-i18next'

import { type Column, WideTable } from '@/components/page'
import { TextLink } from '@/components/ui'
import { judgeName } from '@/lib/names'

import { RunStatus } from '../RunStatus'
import type { Run } from '../api/runs'
import { MAX_RUNS } from '../compare/chosenRuns'
import { figure, moment } from '../figures'
import { generationOf } from '../generation'

interface Props {
  runs: readonly Run[]
  picked: readonly string[]
  onPick: (ids: readonly string[]) => void
}

export function RunTable({ runs, picked, onPick }: Props) {
  const { t } = useTranslation('runs')
  const columns: Column<Run>[] = [
    {
      header: t('list.name'),
      cell: (run) => (
        <TextLink to={`/runs/${run.id}`} className="inline-block min-w-36">
          {run.name}
        </TextLink>
      ),
    },
    {
      header: t('list.dataset'),
      cell: (run) => {
        const of = `${run.dataset_name} v${run.dataset_version}`
        if (run.dataset_id === null) return of
        return <TextLink to={`/runs?dataset=${run.dataset_id}`}>{of}</TextLink>
      },
    },
    { header: t('list.status'), cell: ({ status }) => <RunStatus status={status} /> },
    {
      header: t('list.kind'),
      cell: (run) =>
        `${t(`types.${run.evaluation_type}`)} · ${t(`retrievals.${run.retrieval}`)} · k=${run.k}`,
    },
    {
      header: t('metrics.recall_at_k'),
      cell: ({ metrics }) => figure(metrics?.recall_at_k),
      numeric: true,
    },
    { header: 'MRR', cell: ({ metrics }) => figure(metrics?.mrr), numeric: true },
    {
      header: t('metrics.faithfulness'),
      cell: (run) => figure(generationOf(run)?.mean_faithfulness),
      numeric: true,
    },
    {
      header: t('metrics.answer_relevancy'),
      cell: (run) => figure(generationOf(run)?.mean_answer_relevancy),
      numeric: true,
    },
    {
      header: t('detail.judgeModel'),
      cell: (run) => (run.evaluation_type === 'full_rag' ? judgeName(run.judge_model) : '–'),
    },
    { header: t('list.when'), cell: ({ created_at }) => moment(created_at), nowrap: true },
    {
      header: t('list.pick'),
      cell: (run) => (
        <input
          type="checkbox"
          className="size-5"
          aria-label={t('list.pickRun', { name: run.name, when: moment(run.created_at) })}
          checked={picked.includes(run.id)}
          disabled={
            run.status !== 'completed' || (picked.length === MAX_RUNS && !picked.includes(run.id))
          }
          onChange={({ target }) =>
            onPick(target.checked ? [...picked, run.id] : picked.filter((id) => id !== run.id))
          }
        />
      ),
    },
  ]
  return (
    <WideTable caption={t('list.caption')} columns={columns} rows={runs} rowKey={({ id }) => id} />
  )
}
