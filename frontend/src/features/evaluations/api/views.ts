import { useChange } from '@/hooks/useChange'
import { api, data, queries, type Schema } from '@/lib/api'

export type SavedView = Schema<'SavedViewRead'>
/** What a view keeps of the list. */
export type Shown = Pick<SavedView, 'filters' | 'columns'> & { order: Order }
export type Order = NonNullable<Schema<'SavedViewCreate'>['order']>

const STALE = ['/evaluation-views'] as const
const at = (view_id: string) => ({ params: { path: { view_id } } })

export const useViews = () =>
  queries.useQuery('get', '/evaluation-views', undefined, { select: ({ items }) => items })

export const useSaveView = () =>
  useChange(
    (body: Schema<'SavedViewCreate'>) => data(api.POST('/evaluation-views', { body })),
    STALE,
  )

export const useUpdateView = (id: string) =>
  useChange(
    (body: Schema<'SavedViewUpdate'>) =>
      data(api.PATCH('/evaluation-views/{view_id}', { ...at(id), body })),
    STALE,
  )

export const useDeleteView = (id: string) =>
  useChange(() => data(api.DELETE('/evaluation-views/{view_id}', at(id))), STALE)
