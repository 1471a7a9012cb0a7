import { useChange } from '@/hooks/useChange'
import { api, data, queries, type Schema } from '@/lib/api'

export const useDatasets = () =>
  queries.useQuery('get', '/evaluation/datasets', { params: { query: { limit: 200 } } })

export const useAddTestCase = () =>
  useChange(
    (body: Schema<'CaseFromAnswer'>) =>
      data(api.POST('/evaluation/datasets/from-answer', { body })),
    ['/evaluation/datasets*'],
  )

const KEY = 'searchqa.dataset'

/** The name of the dataset that this browser put an answer into last, else of the newest that is made
 * from answers. */
export function lastDataset(datasets: readonly Schema<'DatasetView'>[]): string | undefined {
  const made = datasets.find(({ origin }) => origin.kind === 'answers')?.name
  try {
    const last = localStorage.getItem(KEY)
    return datasets.find(({ name }) => name === last)?.name ?? made
  } catch {
    return made
  }
}

export function rememberDataset(name: string): void {
  try {
    localStorage.setItem(KEY, name)
  } catch {
    // Without leave to store, the newest is proposed.
  }
}
