import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { api, data } from '@/lib/api'

/** What people should look at first. Its reasons come in the language that is asked in. */
export function useReviewQueue(language: string) {
  return useInfiniteQuery({
    queryKey: ['review-queue', language],
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET('/qa-evaluations/review-queue', {
          params: { query: pageParam === null ? {} : { after: pageParam } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  })
}

export function useAgreement() {
  return useQuery({
    queryKey: ['agreement'],
    queryFn: ({ signal }) => data(api.GET('/qa-evaluations/agreement', { signal })),
  })
}

/** How far people agree with each other. */
export function usePeopleAgreement() {
  return useQuery({
    queryKey: ['agreement', 'people'],
    queryFn: ({ signal }) => data(api.GET('/review/agreement', { signal })),
  })
}
