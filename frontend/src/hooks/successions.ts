import { useMutation } from '@tanstack/react-query'

import { api, data, queries, type Schema } from '@/lib/api'
import { today, type Day } from '@/lib/days'

import { useChange } from './useChange'

export type Succession = Schema<'SuccessionDetail'>
export type SuccessionRequest = Schema<'SuccessionCreate'>

const POLL_MS = 2000
const STALE = ['/judges/successions*', '/judges/endings', '/settings/evaluation'] as const
const at = (succession_id: string) => ({ params: { path: { succession_id } } })
const isUnderWay = ({ status }: { status: string }) => ['pending', 'running'].includes(status)

/** The newest 50. */
export const useSuccessions = () =>
  queries.useQuery('get', '/judges/successions', undefined, {
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? POLL_MS : false),
  })

export const useSuccession = (id: string) =>
  queries.useQuery('get', '/judges/successions/{succession_id}', at(id), {
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? POLL_MS : false),
  })

/** What a succession would take; nothing is stored. */
export const useSuccessionEstimate = () =>
  useMutation({
    mutationFn: (body: SuccessionRequest) =>
      data(api.POST('/judges/successions/estimate', { body })),
  })

export const useStartSuccession = () =>
  useChange((body: SuccessionRequest) => data(api.POST('/judges/successions', { body })), STALE)

export const useSwitchJudges = (id: string) =>
  useChange(
    (force: boolean) =>
      data(api.POST('/judges/successions/{succession_id}/switch', { ...at(id), body: { force } })),
    STALE,
  )

export const useUndoSuccession = (id: string) =>
  useChange(() => data(api.POST('/judges/successions/{succession_id}/undo', at(id))), STALE)

interface JudgeChange {
  /** Of the browser's clock, as the days of charts are. */
  day: Day
  moment: string
  from: string
  to: string
}

/** When the policy was given another judge, and went back, in the order of time. */
export function useJudgeChanges(): JudgeChange[] {
  const { data: found } = useSuccessions()
  return (found?.items ?? [])
    .flatMap(({ old_model, new_model, switched_at, undone_at }) => [
      { moment: switched_at, from: old_model, to: new_model },
      { moment: undone_at, from: new_model, to: old_model },
    ])
    .flatMap(({ moment, ...models }) =>
      moment === null ? [] : [{ ...models, moment, day: today(new Date(moment)) }],
    )
    .sort((one, other) => one.moment.localeCompare(other.moment))
}
