import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data, type Schema } from '@/lib/api'

export type Webhook = Schema<'WebhookView'>
export type Delivery = Schema<'DeliveryView'>

const KEY = ['webhooks']
const TEST_POLL_MS = 1000
// While something is to be sent, which may take a day where a receiver is away.
const PENDING_POLL_MS = 5000
const byId = (id: string) => ({ path: { webhook_id: id } })

export const useWebhooks = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => data(api.GET('/webhooks', { signal })),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ pending }) => pending > 0) ? PENDING_POLL_MS : false,
  })

/** A change of webhooks; what is shown of them is read again. A secret is in the answer only. */
function useChange<Given, Answer>(mutationFn: (given: Given) => Promise<Answer>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn,
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  })
}

export const useAddWebhook = () =>
  useChange((body: Schema<'WebhookCreate'>) => data(api.POST('/webhooks', { body })))

export const useChangeWebhook = (id: string) =>
  useChange((body: Schema<'WebhookUpdate'>) =>
    data(api.PATCH('/webhooks/{webhook_id}', { params: byId(id), body })),
  )

export const useDeleteWebhook = (id: string) =>
  useChange(() => data(api.DELETE('/webhooks/{webhook_id}', { params: byId(id) })))

export const useRotateSecret = (id: string) =>
  useChange((hours: number) =>
    data(
      api.POST('/webhooks/{webhook_id}/rotate-secret', {
        params: byId(id),
        body: { overlap_hours: hours },
      }),
    ),
  )

export const useTestWebhook = (id: string) =>
  useChange(() => data(api.POST('/webhooks/{webhook_id}/test', { params: byId(id) })))

export const useReplay = (id: string) =>
  useChange((deliveryId: string) =>
    data(
      api.POST('/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', {
        params: { path: { webhook_id: id, delivery_id: deliveryId } },
      }),
    ),
  )

/** A delivery until it is over; null: none to look at. */
export const useDelivery = (webhookId: string, deliveryId: string | null) =>
  useQuery({
    queryKey: [...KEY, webhookId, 'delivery', deliveryId],
    enabled: deliveryId !== null,
    queryFn: ({ signal }) =>
      data(
        api.GET('/webhooks/{webhook_id}/deliveries/{delivery_id}', {
          params: { path: { webhook_id: webhookId, delivery_id: deliveryId ?? '' } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? TEST_POLL_MS : false),
  })

/** What was sent or is to be, newest first. */
export const useDeliveries = (id: string) =>
  useInfiniteQuery({
    queryKey: [...KEY, id, 'deliveries'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET('/webhooks/{webhook_id}/deliveries', {
          params: { ...byId(id), query: { limit: 20, ...(pageParam && { after: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ status }) => status === 'pending'))
        ? PENDING_POLL_MS
        : false,
  })
