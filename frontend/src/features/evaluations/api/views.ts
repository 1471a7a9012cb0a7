import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'

export type SavedView = Schema<'SavedViewRead'>
/** What a view keeps of the list. */
export type Shown = Pick<SavedView, 'filters' | 'columns'> & { order: Order }
export type Order = NonNullable<Schema<'SavedViewCreate'>['order']>

const viewsQuery = queryOptions({
  queryKey: ['evaluation-views'],
  queryFn: async ({ signal }) => (await data(api.GET('/evaluation-views', { signal }))).items,
})

export const useViews = () => useQuery(viewsQuery)

function useChange<Input, Result>(mutationFn: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries(viewsQuery) })
}

export const useSaveView = () =>
  useChange((body: Schema<'SavedViewCreate'>) => data(api.POST('/evaluation-views', { body })))

export const useUpdateView = (id: string) =>
  useChange((body: Schema<'SavedViewUpdate'>) =>
    data(api.PATCH('/evaluation-views/{view_id}', { params: { path: { view_id: id } }, body })),
  )

export const useDeleteView = (id: string) =>
  useChange(() =>
    data(api.DELETE('/evaluation-views/{view_id}', { params: { path: { view_id: id } } })),
  )
