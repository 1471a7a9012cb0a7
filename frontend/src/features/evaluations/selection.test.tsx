import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'

import type { Schema } from '@/lib/api'
import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

import { row } from './testing'

const ESTIMATE: Schema<'RejudgeEstimate'> = {
  judge_model: 'openai:judge',
  prompt: 'search-qa-eval-5',
  answers: 900,
  matching: 3,
  to_judge: 1,
  judged: 1,
  not_judged: 1,
  calls: 1,
  prompt_tokens: 900,
  completion_tokens: 200,
  cost_usd: 0.0012,
  unpriced: null,
  batch_cost_usd: null,
  bulk_by: 'calls',
}
const PROGRESS = { prompt_tokens: 0, completion_tokens: 0, cost_usd: null, paused: 0, batched: 0 }

function job(done: number) {
  const ended = done === 1
  return {
    job: {
      id: 'j-1',
      kind: 'rejudge',
      payload: {},
      status: ended ? 'succeeded' : 'running',
      attempt: 1,
      done,
      total: 1,
      error: null,
      created_at: '2026-06-01T00:00:00Z',
      started_at: null,
      finished_at: ended ? '2026-06-01T00:00:01Z' : null,
      next_attempt_at: null,
    },
    progress: {
      ...PROGRESS,
      total: 1,
      succeeded: done,
      failed: 0,
      cancelled: 0,
      pending: 1 - done,
    },
  }
}

let sent: unknown[] = []

beforeAll(async () => {
  await Promise.all([import('./EvaluationsPage'), import('./EvaluationPage')])
})
beforeEach(() => {
  localStorage.clear()
  sent = []
  server.use(
    http.get('/qa-evaluations', () =>
      HttpResponse.json({ items: ['1', '2', '3', '4'].map((id) => row(id)), next: 'more' }),
    ),
    http.get('/qa-evaluations/events', () => new HttpResponse(null, { status: 204 })),
    http.get('/qa-evaluations/ids', () =>
      HttpResponse.json({ ids: [], matching: 1234, more: false }),
    ),
    http.get('/notebooks', () => HttpResponse.json([])),
    http.get('/evaluation-views', () => HttpResponse.json({ items: [], next: null })),
  )
})

const box = (id: string) => screen.getByRole('checkbox', { name: `선택: 질문 ${id}` })
const bar = () => screen.getByRole('region', { name: '선택한 평가' })
const ticked = () =>
  screen
    .getAllByRole('checkbox', { name: /^선택: /, checked: true })
    .map((each) => each.getAttribute('aria-label')?.at(-1))

async function opened(path = '/evaluations') {
  const app = renderApp(path)
  await screen.findByRole('link', { name: '질문 1' })
  return app
}

it('ticks rows one by one, from one to another with Shift, and all that are shown', async () => {
  const { user } = await opened()
  expect(screen.queryByRole('region', { name: '선택한 평가' })).toBeNull()

  await user.click(box('4'))
  fireEvent.click(box('2'), { shiftKey: true })
  expect(ticked()).toEqual(['2', '3', '4'])
  expect(within(bar()).getByText('3개 선택함')).toBeVisible()
  expect(screen.getByRole('checkbox', { name: '표시된 평가 모두 선택' })).toBePartiallyChecked()

  fireEvent.click(box('3'), { shiftKey: true })
  expect(ticked()).toEqual(['4'])

  await user.click(screen.getByRole('checkbox', { name: '표시된 평가 모두 선택' }))
  expect(ticked()).toEqual(['1', '2', '3', '4'])
  await user.click(within(bar()).getByRole('button', { name: '선택 해제' }))
  expect(screen.queryByRole('region', { name: '선택한 평가' })).toBeNull()
})

it('says that more match than are counted', async () => {
  const ids = Array.from({ length: 1000 }, (_, at) => String(at + 1))
  const found = { matching: 10_000, more: true }
  server.use(http.get('/qa-evaluations/ids', () => HttpResponse.json({ ids, ...found })))
  const { user } = await opened()
  expect(await screen.findByText('10,000개 초과')).toBeVisible()
  await user.click(box('1'))
  await user.click(within(bar()).getByRole('button', { name: '조건에 맞는 평가 모두 선택' }))
  expect(await within(bar()).findByText(/10,000개를 넘습니다. 앞의 1,000개를 선택/)).toBeVisible()
})

it('selects all that match up to the limit, and begins anew with other filters', async () => {
  const queries: string[] = []
  const ids = Array.from({ length: 1000 }, (_, at) => String(at + 1))
  server.use(
    http.get('/qa-evaluations/ids', ({ request }) => {
      const asked = new URL(request.url).searchParams
      if (!asked.has('limit')) queries.push(asked.toString())
      return HttpResponse.json({ ids, matching: 3214, more: false })
    }),
  )
  const { user } = await opened('/evaluations?status=succeeded&order=worst')
  await user.click(box('1'))
  await user.click(within(bar()).getByRole('button', { name: '조건에 맞는 평가 모두 선택' }))
  expect(await within(bar()).findByText('1,000개 선택함')).toBeVisible()
  expect(within(bar()).getByText(/조건에 맞는 3,214개 중 앞의 1,000개/)).toBeVisible()
  expect(queries).toEqual(['status=succeeded&current=true&order=worst'])

  await user.click(screen.getByRole('button', { name: '실패' }))
  await waitFor(() => {
    expect(screen.queryByRole('region', { name: '선택한 평가' })).toBeNull()
  })
})

it('says what judging again takes and leaves out, starts it and follows it', async () => {
  let done = 0
  server.use(
    http.post('/evaluation/rejudge/estimate', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(ESTIMATE)
    }),
    http.post('/evaluation/rejudge', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(job(0), { status: 202 })
    }),
    http.get('/evaluation/rejudge/jobs/j-1', () => HttpResponse.json(job(done))),
  )
  const { user, queries } = await opened()
  for (const id of ['1', '2', '3', '4']) await user.click(box(id))
  await user.click(within(bar()).getByRole('button', { name: '다시 평가' }))
  const dialog = screen.getByRole('dialog', { name: '답변 4개 다시 평가' })
  expect(await within(dialog).findByText(/답변 1개를 다시 평가합니다/)).toHaveTextContent(
    'openai:judge · search-qa-eval-5',
  )
  expect(within(dialog).getByText(/약 US\$0.0012/)).toBeVisible()
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map((each) => each.textContent),
  ).toEqual([
    '이 평가 모델과 프롬프트로 이미 평가한 답변 1개는 제외합니다.',
    '노트 없이 만든 답변 1개는 평가할 수 없습니다.',
    '아직 평가 중이거나 삭제되었거나 같은 답변에 속한 평가 1개는 제외합니다.',
  ])
  await user.type(within(dialog).getByRole('textbox', { name: '평가 모델' }), 'openai:other{Enter}')
  const ids = { filter: { evaluation_ids: ['1', '2', '3', '4'] }, prompt: null, everything: false }
  await waitFor(() => {
    expect(sent.at(-1)).toEqual({ ...ids, judge_model: 'openai:other' })
  })
  await user.click(await within(dialog).findByRole('button', { name: '1개 다시 평가' }))

  const progress = await screen.findByRole('region', { name: '다시 평가하는 중' })
  expect(within(progress).getByText('0 / 1')).toBeVisible()
  expect(sent.at(-1)).toEqual({ ...ids, judge_model: 'openai:other' })
  expect(screen.queryByRole('region', { name: '선택한 평가' })).toBeNull()
  done = 1
  await queries.invalidateQueries({ queryKey: ['get', '/evaluation/rejudge/jobs/{job_id}'] })
  expect(await within(progress).findByText('답변 1개를 다시 평가했습니다')).toBeVisible()
})

it('starts nothing where nothing is left to judge', async () => {
  server.use(
    http.post('/evaluation/rejudge/estimate', () =>
      HttpResponse.json({ ...ESTIMATE, to_judge: 0, judged: 2, not_judged: 0, matching: 2 }),
    ),
  )
  const { user } = await opened()
  await user.click(box('1'))
  await user.click(within(bar()).getByRole('button', { name: '다시 평가' }))
  expect(await screen.findByText(/답변 0개를 다시 평가합니다/)).toBeVisible()
  expect(screen.getByRole('button', { name: '0개 다시 평가' })).toBeDisabled()
})

it('exports what is selected, and says what is missing', async () => {
  URL.createObjectURL = vi.fn(() => 'blob:evaluations')
  URL.revokeObjectURL = vi.fn()
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  server.use(
    http.post('/qa-evaluations/export', async ({ request }) => {
      sent.push(await request.json())
      return new HttpResponse('{}', { headers: { 'X-Total-Count': '1' } })
    }),
  )
  const { user } = await opened()
  await user.click(box('2'))
  await user.click(box('3'))
  await user.click(within(bar()).getByRole('button', { name: 'JSONL 내보내기' }))
  expect(
    await screen.findByText('평가 1개를 내보냈습니다. 1개는 이미 삭제되어 빠졌습니다.'),
  ).toBeVisible()
  expect(sent).toEqual([{ evaluation_ids: ['2', '3'], format: 'jsonl' }])
  expect(click.mock.contexts[0]).toHaveProperty('download', 'evaluations.jsonl')
})

it('labels what is selected, in its order', async () => {
  server.use(
    http.post('/review/reservations', async ({ request }) => {
      sent.push(await request.json())
      const queue: Schema<'LabelQueue'> = { author: 'a', items: [], remaining: 0, drawn: null }
      return HttpResponse.json(queue)
    }),
    http.delete('/review/reservations', () => new HttpResponse(null, { status: 204 })),
  )
  await import('./label/LabelPage')
  const { user } = await opened()
  await user.click(box('3'))
  await user.click(box('1'))
  await user.click(within(bar()).getByRole('button', { name: '라벨링' }))
  expect(await screen.findByText('선택한 답변에 모두 라벨을 붙였습니다.')).toBeVisible()
  expect(screen.getByRole('radio', { name: /목록에서 선택한 평가 2개/ })).toBeChecked()
  expect(sent[0]).toMatchObject({ source: 'chosen', evaluation_ids: ['3', '1'] })
})

it('goes through the rows by keys, ticks and opens them', async () => {
  const { user, router } = await opened()
  const link = (id: string) => screen.getByRole('link', { name: `질문 ${id}` })

  await user.keyboard('jjj')
  expect(link('3')).toHaveFocus()
  await user.keyboard('k')
  expect(link('2')).toHaveFocus()
  await user.keyboard('x')
  expect(ticked()).toEqual(['2'])
  await user.keyboard('jx')
  expect(ticked()).toEqual(['2', '3'])
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('region', { name: '선택한 평가' })).toBeNull()
  expect(link('3')).toHaveFocus()

  server.use(
    http.get('/qa-evaluations/:id', ({ params }) => {
      const detail = `평가 ${String(params.id)}이 없습니다`
      return HttpResponse.json({ type: 'x', title: '', status: 404, detail }, { status: 404 })
    }),
  )
  const openId = () => new URLSearchParams(router.state.location.search).get('open')
  const panel = () => screen.getByRole('region', { name: '평가 상세' })
  await user.keyboard('o')
  expect(openId()).toBe('3')
  expect(await within(panel()).findByText('평가 3이 없습니다')).toBeVisible()
  await user.keyboard('x')
  expect(ticked()).toEqual(['3'])
  await user.keyboard('j')
  expect(openId()).toBe('4')
  expect(link('4')).toHaveAttribute('aria-current', 'true')
  expect(await within(panel()).findByText('평가 4이 없습니다')).toBeVisible()
  await user.click(within(panel()).getByRole('button', { name: '이전 평가' }))
  expect(openId()).toBe('3')
  expect(within(panel()).getByRole('link', { name: '상세 페이지' })).toHaveAttribute(
    'href',
    '/evaluations/3',
  )

  // The first closes the panel, the second clears what is selected.
  await user.keyboard('{Escape}')
  expect(openId()).toBeNull()
  expect(link('3')).toHaveFocus()
  expect(ticked()).toEqual(['3'])
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('region', { name: '선택한 평가' })).toBeNull()
})

it('leaves keys alone where somebody types, and where single keys are switched off', async () => {
  localStorage.setItem('searchqa.labelling', JSON.stringify({ keys: false }))
  const { user } = await opened()
  await user.keyboard('jx')
  expect(screen.getByRole('link', { name: '질문 1' })).not.toHaveFocus()
  expect(screen.queryByRole('region', { name: '선택한 평가' })).toBeNull()
})
