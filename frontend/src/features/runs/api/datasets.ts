import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'

import { forgetDecisions } from '../datasets/keptDecisions'

export const FORMATS = ['jsonl', 'csv'] as const
export type Format = (typeof FORMATS)[number]

const ALL = ['datasets']

const datasetsQuery = infiniteQueryOptions({
  queryKey: [...ALL, 'list'],
  queryFn: ({ pageParam, signal }) =>
    data(
      api.GET('/evaluation/datasets', {
        params: { query: pageParam === null ? {} : { after: pageParam } },
        signal,
      }),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next,
})

const at = (dataset_id: string) => ({ params: { path: { dataset_id } } })

const datasetQuery = (id: string) =>
  queryOptions({
    queryKey: [...ALL, id],
    queryFn: ({ signal }) =>
      data(api.GET('/evaluation/datasets/{dataset_id}', { ...at(id), signal })),
  })

const passagesQuery = (id: string) =>
  queryOptions({
    queryKey: [...ALL, id, 'passages'],
    queryFn: ({ signal }) =>
      data(api.GET('/evaluation/datasets/{dataset_id}/passages', { ...at(id), signal })),
  })

export const useDatasets = () => useInfiniteQuery(datasetsQuery)
export const useDataset = (id: string) => useQuery(datasetQuery(id))
export const usePassages = (id: string) => useQuery(passagesQuery(id))

/** Makes the list be asked for again, for what a job has stored. */
export function useDatasetsChanged() {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ALL })
}

export function useGenerate() {
  return useMutation({
    mutationFn: (body: Schema<'DatasetGenerate'>) =>
      data(api.POST('/evaluation/datasets/generate', { body })),
  })
}

export interface Upload {
  file: File
  name: string
  format: Format
  notebookId: string
}

export function useImport() {
  const changed = useDatasetsChanged()
  return useMutation({
    mutationFn: ({ file, name, format, notebookId }: Upload) => {
      const form = new FormData()
      form.set('file', file)
      form.set('name', name)
      form.set('format', format)
      if (notebookId) form.set('notebook_id', notebookId)
      return data(
        api.POST('/evaluation/datasets/import', {
          body: { file: file.name, name, format },
          bodySerializer: () => form,
        }),
      )
    },
    onSuccess: changed,
  })
}

export function useReview(id: string) {
  const changed = useDatasetsChanged()
  return useMutation({
    mutationFn: (body: Schema<'DatasetReview'>) =>
      data(api.POST('/evaluation/datasets/{dataset_id}/review', { ...at(id), body })),
    onSuccess: () => {
      forgetDecisions(id)
      return changed()
    },
  })
}

export function useDeleteDataset() {
  const changed = useDatasetsChanged()
  return useMutation({
    mutationFn: (id: string) => data(api.DELETE('/evaluation/datasets/{dataset_id}', at(id))),
    onSuccess: (_, id) => {
      forgetDecisions(id)
      return changed()
    },
  })
}
