import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'

export type Alarm = Schema<'QualityAlarm'>
export type Cause = Schema<'Cause'>

const KEY = ['quality-alarms']

/** Changes of quality that were noticed, the newest first. */
export const useAlarms = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => data(api.GET('/analytics/alarms', { signal })),
  })

export function useAcknowledge() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      data(
        api.POST('/analytics/alarms/{alarm_id}/acknowledge', {
          params: { path: { alarm_id: id } },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  })
}
