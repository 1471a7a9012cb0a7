import { useTranslation } from 'react-i18next'

import { type Column, DataTable } from '@/components/page'
import { TextLink } from '@/components/ui'

import { RunStatus } from '../RunStatus'
import type { Run } from '../api/runs'
import { notComparable } from '../compare/notComparable'
import { figure, moment } from '../figures'
import { generationOf } from '../generation'

interface Props {
  runs: readonly Run[]
  picked: readonly string[]
  onPick: (ids: readonly string[]) => void
}

export function RunTable({ runs, picked, onPick }: Props) {
  const { t } = useTranslation('runs')
  const measured = (header: string, cell: (run: Run) => string): Column<Run> => ({
    header,
    cell: (run) => (
      <>
        <span className="@xl:hidden">{header} </span>
        {cell(run)}
      </>
    ),
    numeric: true,
    place: 'rest',
  })
  const columns: Column<Run>[] = [
    {
      header: t('list.status'),
      cell: ({ status }) => <RunStatus status={status} />,
      nowrap: true,
      place: 'first',
    },
    {
      header: t('list.name'),
      cell: ({ id, name }) => (
        <TextLink plain to={`/runs/${id}`} title={name} className="block truncate">
          {name}
        </TextLink>
      ),
      naming: true,
    },
    {
      header: t('list.dataset'),
      cell: (run) => `${run.dataset_name} v${run.dataset_version}`,
      nowrap: true,
      place: 'rest',
    },
    {
      header: t('list.kind'),
      cell: (run) =>
        `${t(`types.${run.evaluation_type}`)} · ${t(`retrievals.${run.retrieval}`)} · k=${run.k}`,
      nowrap: true,
      place: 'rest',
    },
    measured(t('metrics.recall_at_k'), ({ metrics }) => figure(metrics?.recall_at_k)),
    measured(t('metrics.faithfulness'), (run) => figure(generationOf(run)?.mean_faithfulness)),
    measured(t('metrics.answer_relevancy'), (run) =>
      figure(generationOf(run)?.mean_answer_relevancy),
    ),
    {
      header: t('list.when'),
      cell: ({ created_at }) => moment(created_at),
      nowrap: true,
      place: 'last',
    },
  ]
  const chosen = runs.filter(({ id }) => picked.includes(id))
  return (
    <DataTable
      dense
      caption={t('list.caption')}
      columns={columns}
      rows={runs}
      rowKey={({ id }) => id}
      rowClassName={() => 'focus-within:bg-muted'}
      leading={{
        header: t('list.pick'),
        cell: (run) => <Pick run={run} chosen={chosen} onPick={onPick} />,
      }}
    />
  )
}

interface PickProps {
  run: Run
  chosen: readonly Run[]
  onPick: Props['onPick']
}

/** Chooses a run to be compared; beside it why it cannot be. */
function Pick({ run, chosen, onPick }: PickProps) {
  const { t } = useTranslation('runs')
  const picked = chosen.includes(run)
  const others = chosen.filter((other) => other !== run)
  const why = picked ? null : notComparable(run, others)
  const ids = others.map(({ id }) => id)
  return (
    <label className="flex items-center gap-2">
      <input
        type="checkbox"
        className="size-4 shrink-0"
        aria-label={t('list.pickRun', { name: run.name, when: moment(run.created_at) })}
        aria-describedby={`why-${run.id}`}
        checked={picked}
        disabled={why !== null}
        onChange={({ target }) => onPick(target.checked ? [...ids, run.id] : ids)}
      />
      <span
        id={`why-${run.id}`}
        className="text-muted-foreground max-w-40 truncate text-xs empty:hidden"
        title={why === null ? undefined : t(why)}
      >
        {why !== null && t(why)}
      </span>
    </label>
  )
}
