import { useTranslation } from 'react-i18next'

import { type Column, DataTable } from '@/components/page'
import { TextLink } from '@/components/ui'

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
  const measured = (header: string, cell: (run: Run) => string): Column<Run> => [
    header,
    (run) => (
      <>
        <span className="@xl:hidden">{header} </span>
        {cell(run)}
      </>
    ),
    { numeric: true, place: 'rest' },
  ]
  const columns: Column<Run>[] = [
    [
      t('list.status'),
      ({ status }) => <RunStatus status={status} />,
      { nowrap: true, place: 'first' },
    ],
    [
      t('list.name'),
      ({ id, name }) => (
        <TextLink plain to={`/runs/${id}`} title={name} className="block truncate">
          {name}
        </TextLink>
      ),
      { naming: true },
    ],
    [
      t('list.dataset'),
      (run) => `${run.dataset_name} v${run.dataset_version}`,
      { nowrap: true, place: 'rest' },
    ],
    [
      t('list.kind'),
      (run) =>
        `${t(`types.${run.evaluation_type}`)} · ${t(`retrievals.${run.retrieval}`)} · k=${run.k}`,
      { nowrap: true, place: 'rest' },
    ],
    measured(t('metrics.recall_at_k'), ({ metrics }) => figure(metrics?.recall_at_k)),
    measured(t('metrics.faithfulness'), (run) => figure(generationOf(run)?.mean_faithfulness)),
    measured(t('metrics.answer_relevancy'), (run) =>
      figure(generationOf(run)?.mean_answer_relevancy),
    ),
    [t('list.when'), ({ created_at }) => moment(created_at), { nowrap: true, place: 'last' }],
  ]
  const chosen = runs.filter(({ id }) => picked.includes(id))
  return (
    <DataTable
      dense
      caption={t('list.caption')}
      columns={columns}
      rows={runs}
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

const isFull = (run: Run) => run.evaluation_type === 'full_rag'

/** The string that says why a run has no mean to compare with those that are chosen; null where it
 * may have. Whether two versions of a dataset share questions is for the API to say. */
function notComparable(run: Run, chosen: readonly Run[]) {
  if (run.status !== 'completed') return 'list.notCompleted'
  if (chosen.length >= MAX_RUNS) return 'list.enough'
  const because = chosen.map((other) => differ(run, other)).find((each) => each !== null)
  return because === undefined ? null : (`compare.unlike.${because}` as const)
}

function differ(run: Run, other: Run) {
  if (run.dataset_name !== other.dataset_name) return 'dataset'
  // Then the means of the search are compared.
  if (run.k === other.k) return null
  if (!isFull(run) || !isFull(other)) return 'k'
  if (run.judge_model !== other.judge_model) return 'judge'
  return run.prompt_version === other.prompt_version ? null : 'prompt'
}
