import type { Run } from '../api/runs'

import { MAX_RUNS } from './chosenRuns'

const isFull = (run: Run) => run.evaluation_type === 'full_rag'

/** The string that says why a run has no mean to compare with those that are chosen; null where it
 * may have. Whether two versions of a dataset share questions is for the API to say. */
export function notComparable(run: Run, chosen: readonly Run[]) {
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
