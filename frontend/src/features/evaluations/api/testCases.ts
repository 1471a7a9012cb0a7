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
