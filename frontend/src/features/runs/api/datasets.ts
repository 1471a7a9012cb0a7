import { useMutation, useQueryClient } from '@tanstack/react-query'

import { invalidate, useChange } from '@/hooks/useChange'
import { api, data, PAGED, queries, type Schema } from '@/lib/api'

import { forgetDecisions } from '../datasets/keptDecisions'

export const FORMATS = ['jsonl', 'csv'] as const
export type Format = (typeof FORMATS)[number]

const STALE = ['/evaluation/datasets*'] as const
const at = (dataset_id: string) => ({ params: { path: { dataset_id } } })

export const useDatasets = () => queries.useInfiniteQuery('get', '/evaluation/datasets', {}, PAGED)
export const useDataset = (id: string) =>
  queries.useQuery('get', '/evaluation/datasets/{dataset_id}', at(id))
export const usePassages = (id: string) =>
  queries.useQuery('get', '/evaluation/datasets/{dataset_id}/passages', at(id))

/** Makes the list be asked for again, for what a job has stored. */
export function useDatasetsChanged() {
  const client = useQueryClient()
  return () => invalidate(client, STALE)
}

export const useGenerate = () =>
  useMutation({
    mutationFn: (body: Schema<'DatasetGenerate'>) =>
      data(api.POST('/evaluation/datasets/generate', { body })),
  })

export interface Upload {
  file: File
  name: string
  format: Format
  notebookId: string
}

export const useImport = () =>
  useChange(({ file, name, format, notebookId }: Upload) => {
    const form = new FormData()
    form.set('file', file)
    form.set('name', name)
    form.set('format', format)
    if (notebookId) form.set('notebook_id', notebookId)
    const [body, bodySerializer] = [{ file: file.name, name, format }, () => form]
    return data(api.POST('/evaluation/datasets/import', { body, bodySerializer }))
  }, STALE)

export const useReview = (id: string) =>
  useChange(
    (body: Schema<'DatasetReview'>) =>
      data(api.POST('/evaluation/datasets/{dataset_id}/review', { ...at(id), body })),
    STALE,
    () => forgetDecisions(id),
  )

export const useDeleteDataset = () =>
  useChange(
    (id: string) => data(api.DELETE('/evaluation/datasets/{dataset_id}', at(id))),
    STALE,
    (_, id) => forgetDecisions(id),
  )
