import { useChange } from '@/hooks/useChange'
import { api, data, queries, type Schema } from '@/lib/api'

export type Criterion = Schema<'CriterionVersion'>

// The version of the policy rises with each.
const STALE = ['/criteria*', '/settings/evaluation'] as const

export const useCriterionExamples = (lang: string) =>
  queries.useQuery('get', '/criteria/examples', { headers: { 'Accept-Language': lang } })

export const useSaveCriterion = () =>
  useChange((body: Schema<'CriterionCreate'>) => data(api.POST('/criteria', { body })), STALE)

export const useArchiveCriterion = () =>
  useChange((criterion_id: string) => {
    const params = { path: { criterion_id } }
    return data(api.POST('/criteria/{criterion_id}/archive', { params }))
  }, STALE)
