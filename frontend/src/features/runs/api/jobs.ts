import { queryOptions } from '@tanstack/react-query'

import { api, data } from '@/lib/api'

import { useLive } from './useLive'

const ENDED = ['succeeded', 'failed', 'cancelled']
export const hasEnded = ({ status }: { status: string }) => ENDED.includes(status)

const jobQuery = (job_id: string) =>
  queryOptions({
    queryKey: ['jobs', job_id],
    queryFn: ({ signal }) =>
      data(api.GET('/jobs/{job_id}', { params: { path: { job_id } }, signal })),
  })

export const useLiveJob = (id: string) => useLive(jobQuery(id), `/jobs/${id}/events`, hasEnded)
