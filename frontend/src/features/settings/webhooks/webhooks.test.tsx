import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'

import { renderInApp } from '@/testing/render'
import { server } from '@/testing/server'

import { WebhooksCard } from '../SettingsPage'
import type { Delivery, Webhook } from '../api/webhooks'

const HOOK: Webhook = {
  ...{ id: 'w1', name: '알림', url: 'https://hooks.example/in', format: 'json', lang: 'ko' },
  ...{ events: ['verdict.succeeded'], confidences: null, judges: null, notebook_ids: null },
  ...{ features: null, include_content: false, backlog_minutes: 10, thresholds: [] },
  ...{ enabled: true, disabled_reason: null, disabled_at: null, failing_since: null },
  ...{ delivered_at: null, last_error: null, pending: 0, previous_secret_until: null },
  ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
}
const SENT: Delivery = {
  ...{ id: 'd1', webhook_id: 'w1', event: 'webhook.test', evaluation_id: null, data: {} },
  ...{ status: 'pending', tries: 0, next_attempt_at: null, attempts: [] },
  ...{ created_at: '2026-01-01T00:00:00Z', finished_at: null },
}
const TAKEN: Delivery = {
  ...{ ...SENT, status: 'delivered', tries: 1 },
  attempts: [
    {
      ...{ attempt: 1, at: '2026-01-01T00:00:00Z', status: 200, ms: 12.3 },
      ...{ code: null, error: null, reply: '<b>ok</b>' },
    },
  ],
}

let hooks: Webhook[]
let sent: unknown[]

beforeEach(() => {
  hooks = [HOOK]
  sent = []
  const keep = async (request: Request) => sent.push(await request.json())
  server.use(
    http.get('/webhooks', () => HttpResponse.json({ items: hooks, next: null })),
    http.get('/notebooks', () => HttpResponse.json([{ id: 'b1', name: '실험', notes: 1 }])),
    http.post('/webhooks', async ({ request }) => {
      await keep(request)
      return HttpResponse.json({ ...HOOK, secret: 'whsec_one' }, { status: 201 })
    }),
    http.patch('/webhooks/w1', async ({ request }) => {
      await keep(request)
      return HttpResponse.json(HOOK)
    }),
  )
})

it('a webhook is added with what is chosen, and its secret is shown once', async () => {
  hooks = []
  const { user } = renderInApp(<WebhooksCard />)
  await screen.findByText('아직 웹훅이 없습니다')
  await user.click(screen.getByRole('button', { name: '웹훅 추가' }))
  const dialog = screen.getByRole('dialog')
  expect(within(dialog).getByRole('button', { name: '저장' })).toBeDisabled()
  await user.type(within(dialog).getByRole('textbox', { name: '이름' }), '당직')
  await user.type(within(dialog).getByRole('textbox', { name: /주소/ }), 'https://a.example/x')
  await user.selectOptions(within(dialog).getByRole('combobox', { name: '형식' }), 'slack')
  await user.click(within(dialog).getByRole('checkbox', { name: '하루 기준값 초과 또는 미달' }))
  await user.click(within(dialog).getByRole('button', { name: '기준값 추가' }))
  await user.click(within(dialog).getByText('보낼 평가 결과 고르기'))
  await user.click(within(dialog).getByRole('checkbox', { name: '낮음' }))
  await user.click(within(dialog).getByRole('checkbox', { name: '실험' }))
  await user.type(within(dialog).getByRole('textbox', { name: /평가 모델/ }), 'openai:a, ,b')
  await user.click(within(dialog).getByRole('button', { name: '저장' }))

  expect(await within(dialog).findByRole('textbox')).toHaveValue('whsec_one')
  expect(sent).toEqual([
    {
      ...{ name: '당직', url: 'https://a.example/x', format: 'slack', lang: 'ko' },
      ...{ events: ['verdict.succeeded', 'threshold.crossed'], confidences: ['low'] },
      ...{ features: null, notebook_ids: ['b1'], judges: ['openai:a', 'b'] },
      ...{ include_content: false, backlog_minutes: 10 },
      thresholds: [{ metric: 'high_share', direction: 'below', value: 0.8 }],
    },
  ])
  await user.click(within(dialog).getByText('닫기', { selector: 'button' }))
  await user.click(await screen.findByRole('button', { name: '웹훅 추가' }))
  expect(screen.queryByDisplayValue('whsec_one')).not.toBeInTheDocument()
})

it('an address that is a password stays when it is left empty', async () => {
  hooks = [{ ...HOOK, format: 'slack', url: 'https://hooks.example/…' }]
  const { user } = renderInApp(<WebhooksCard />)
  await user.click(await screen.findByRole('button', { name: '알림 수정' }))
  const dialog = screen.getByRole('dialog')
  expect(within(dialog).getByRole('textbox', { name: /주소/ })).toHaveValue('')
  await user.click(within(dialog).getByRole('button', { name: '저장' }))
  await waitFor(() => {
    expect(sent).toHaveLength(1)
  })
  expect(sent[0]).not.toHaveProperty('url')
})

it('one that the server switched off says why and is switched on again', async () => {
  const error = '연결할 수 없습니다'
  hooks = [{ ...HOOK, enabled: false, disabled_reason: 'failing', last_error: error }]
  const { user } = renderInApp(<WebhooksCard />)
  expect(await screen.findByText(/여러 날 동안 전달하지 못해/)).toBeVisible()
  expect(screen.getByText(error)).toBeVisible()
  expect(screen.getByText('서버가 끔')).toBeVisible()
  expect(screen.getByRole('button', { name: '알림에 테스트 보내기' })).toBeDisabled()
  await user.click(screen.getByRole('button', { name: '알림 다시 켜기' }))
  expect(sent).toEqual([{ enabled: true }])
})

it('a test shows what came of it', async () => {
  server.use(
    http.post('/webhooks/w1/test', () => HttpResponse.json(SENT, { status: 202 })),
    http.get('/webhooks/w1/deliveries/d1', () => HttpResponse.json(TAKEN)),
  )
  const { user } = renderInApp(<WebhooksCard />)
  await user.click(await screen.findByRole('button', { name: '알림에 테스트 보내기' }))
  expect(await screen.findByText('전달됨')).toBeVisible()
  expect(screen.getByText('HTTP 200')).toBeVisible()
  expect(screen.getByText('<b>ok</b>')).toBeInTheDocument()
})

it('a delivery is sent again from the log', async () => {
  const failed: Delivery = { ...TAKEN, status: 'failed', event: 'verdict.failed' }
  const replayed: string[] = []
  server.use(
    http.get('/webhooks/w1/deliveries', () => HttpResponse.json({ items: [failed], next: null })),
    http.post('/webhooks/w1/deliveries/:id/replay', ({ params }) => {
      replayed.push(String(params.id))
      return HttpResponse.json(SENT, { status: 202 })
    }),
  )
  const { user } = renderInApp(<WebhooksCard />)
  await user.click(await screen.findByRole('button', { name: '알림 전달 기록' }))
  await user.click(await screen.findByRole('button', { name: /verdict.failed.*다시 보내기/ }))
  expect(replayed).toEqual(['d1'])
})

it('a secret is rotated, and the new one is shown once', async () => {
  server.use(
    http.post('/webhooks/w1/rotate-secret', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ secret: 'whsec_two', previous_secret_until: null })
    }),
  )
  const { user } = renderInApp(<WebhooksCard />)
  await user.click(await screen.findByRole('button', { name: '알림 서명 키 교체' }))
  const dialog = screen.getByRole('dialog')
  await user.selectOptions(within(dialog).getByRole('combobox'), '즉시 폐기')
  await user.click(within(dialog).getByRole('button', { name: '키 교체' }))
  expect(await within(dialog).findByRole('textbox')).toHaveValue('whsec_two')
  expect(sent).toEqual([{ overlap_hours: 0 }])
})
