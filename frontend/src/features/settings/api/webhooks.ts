import { useChange } from '@/hooks/useChange'
import { api, data, PAGED, queries, type Schema } from '@/lib/api'

export type Webhook = Schema<'WebhookView'>
export type Delivery = Schema<'DeliveryView'>

const STALE = ['/webhooks*'] as const
const TEST_POLL_MS = 1000
// While something is to be sent, which may take a day where a receiver is unreachable.
const PENDING_POLL_MS = 5000
const at = (webhook_id: string) => ({ params: { path: { webhook_id } } })

export const useWebhooks = () =>
  queries.useQuery('get', '/webhooks', undefined, {
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ pending }) => pending > 0) ? PENDING_POLL_MS : false,
  })

export const useAddWebhook = () =>
  useChange((body: Schema<'WebhookCreate'>) => data(api.POST('/webhooks', { body })), STALE)

export const useChangeWebhook = (id: string) =>
  useChange(
    (body: Schema<'WebhookUpdate'>) =>
      data(api.PATCH('/webhooks/{webhook_id}', { ...at(id), body })),
    STALE,
  )

export const useDeleteWebhook = (id: string) =>
  useChange(() => data(api.DELETE('/webhooks/{webhook_id}', at(id))), STALE)

export const useRotateSecret = (id: string) =>
  useChange((overlap_hours: number) => {
    const body = { overlap_hours }
    return data(api.POST('/webhooks/{webhook_id}/rotate-secret', { ...at(id), body }))
  }, STALE)

export const useTestWebhook = (id: string) =>
  useChange(() => data(api.POST('/webhooks/{webhook_id}/test', at(id))), STALE)

export const useReplay = (webhook_id: string) =>
  useChange((delivery_id: string) => {
    const params = { path: { webhook_id, delivery_id } }
    return data(api.POST('/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', { params }))
  }, STALE)

/** A delivery until it is over; null: none to look at. */
export const useDelivery = (webhook_id: string, id: string | null) =>
  queries.useQuery(
    'get',
    '/webhooks/{webhook_id}/deliveries/{delivery_id}',
    { params: { path: { webhook_id, delivery_id: id ?? '' } } },
    {
      enabled: id !== null,
      refetchInterval: ({ state }) => (state.data?.status === 'pending' ? TEST_POLL_MS : false),
    },
  )

/** What was sent or is to be, newest first. */
export const useDeliveries = (id: string) =>
  queries.useInfiniteQuery(
    'get',
    '/webhooks/{webhook_id}/deliveries',
    { params: { ...at(id).params, query: { limit: 20 } } },
    {
      ...PAGED,
      refetchInterval: ({ state }) =>
        state.data?.pages.some(({ items }) => items.some(({ status }) => status === 'pending'))
          ? PENDING_POLL_MS
          : false,
    },
  )
