import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import type { Timeline } from '@/hooks/useTimeline'
import { evaluation } from '@/testing/evaluation'
import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'
import { after, span, timeline } from '@/testing/timeline'

const SMALL = 'openai:small'
const call = { attempt: 1, model: SMALL, purpose: 'search_qa_verdict' }
const none = () => HttpResponse.json([])

beforeAll(async () => {
  await import('../EvaluationPage')
})
afterEach(() => {
  vi.useRealTimers()
})

/** The page of a verdict with this timeline; what is put into `answers` later is read next. */
function open(found: Timeline) {
  const answers = [found]
  let calls = 0
  const view = evaluation({ id: 'e1', current_id: 'e1', status: found.status, judge_model: SMALL })
  server.use(
    http.get('/qa-evaluations/e1', () => HttpResponse.json(view)),
    http.get('/qa-evaluations/e1/events', () => new HttpResponse(null, { status: 204 })),
    http.get('/qa-evaluations/e1/timeline', () => HttpResponse.json(answers.at(-1))),
    http.get('/qa-evaluations/e1/calls', () => {
      calls += 1
      return HttpResponse.json([])
    }),
    http.get('/qa-evaluations/e1/sources', none),
    http.get('/qa-evaluations/e1/history', none),
    http.get('/qa-evaluations/e1/feedback', none),
    http.get('/qa-evaluations', () => HttpResponse.json({ items: [], next: null })),
    http.get('/whoami', () => HttpResponse.json({ workspace: 'w', token: '나', scopes: [] })),
  )
  const { user } = renderApp('/evaluations/e1')
  return { user, answers, calls: () => calls }
}

const rowsOf = async (name: string) => {
  const table = await screen.findByRole('table', { name })
  return within(table).getAllByRole('row').slice(1)
}

describe('the timeline of a verdict', () => {
  it('says in words and numbers what the bars show', async () => {
    open(
      timeline({
        end: after(2500),
        spans: [
          span('search', 0, 40, { reason: 'contextual' }),
          span('generate', 40, 460, { model: 'openai:gpt', first_chunk_ms: 120 }),
          span('queue', 500, 20, { status: 'queued' }),
          span('attempt', 520, 480, { attempt: 1, model: SMALL, status: 'retrying' }),
          span('call', 530, 450, { ...call, error: 'transient: 503' }),
          span('wait', 1000, 500, { status: 'retrying', reason: 'transient_failure' }),
          span('attempt', 1500, 1000, { attempt: 2, status: 'succeeded', judge_ms: 980 }),
          span('call', 1510, 900, { ...call, attempt: 2, retry_after: 'transient', re_ask: true }),
          span('record', 2500, null, { status: 'succeeded' }),
        ],
        unknown: ['deliver'],
      }),
    )
    const rows = await rowsOf('시간 흐름')
    const said = rows.map((row) => row.textContent)
    expect(said[0]).toMatch(/노트 검색.*contextual.*\+0ms.*40ms/)
    expect(said[1]).toMatch(/답변 작성.*openai:gpt · 첫 글자까지 120ms.*\+40ms.*460ms/)
    expect(said[3]).toMatch(/1차 시도.*평가하지 못해 다시 시도.*480ms/)
    expect(said[4]).toMatch(/평가: 주장.*transient: 503.*\+530ms.*450ms/)
    expect(said[5]).toMatch(/대기.*일시적인 실패.*500ms/)
    expect(said[6]).toMatch(/2차 시도.*평가함 · 그중 평가 980ms/)
    expect(said[7]).toMatch(/재시도 원인: transient · 첫 응답을 쓸 수 없어 다시 요청/)
    expect(said[8]).toMatch(/평가 저장.*\+2,500ms–$/)
    const card = screen.getByRole('region', { name: '시간 흐름' })
    expect(card).toHaveTextContent(/알 수 없는 항목: 독자에게 전달한 시각/)
    expect(card).toHaveTextContent(/PostgreSQL의 시계/)
  })

  it('draws what has no known start without a bar', async () => {
    open(timeline({ spans: [span('generate', null, 812)], unknown: ['generate'] }))
    const [row] = await rowsOf('시간 흐름')
    expect(row).toHaveTextContent(/알 수 없음812ms$/)
    expect(row?.querySelector('[data-bar]')).toBeNull()
  })

  it('shortens long waits, and draws them to scale when asked', async () => {
    const spans = [
      span('queue', 0, 3_600_000, { reason: 'judge_paused' }),
      span('attempt', 3_600_000, 1000, { attempt: 1 }),
    ]
    const { user } = open(timeline({ end: after(3_601_000), spans }))
    const width = async () => {
      const [, attempt] = await rowsOf('시간 흐름')
      const bar = attempt?.querySelector<HTMLElement>('[data-bar] > div')
      return Number.parseFloat(bar?.style.width ?? '')
    }
    expect(await width()).toBeGreaterThan(80)
    const [queue] = await rowsOf('시간 흐름')
    expect(queue).toHaveTextContent(/일시 중지.*1시간 0분/)
    await user.click(screen.getByRole('checkbox', { name: '긴 대기를 짧게 그리기' }))
    expect(await width()).toBeLessThan(1)
  })
})

describe('the calls of a verdict', () => {
  const made = (id: string, change: object) => ({
    ...{ id, attempt: 1, created_at: after(0), provider: 'openai', model: 'small' },
    ...{ prompt_tokens: null, cached_tokens: null, completion_tokens: null, cost_usd: null },
    ...{ error: null, discarded: false, elapsed_ms: 10, purpose: 'claims', re_ask: false },
    ...{ batched: false, cascade_step: null, retry_after: null, ...change },
  })
  const outcomes = async (calls: object[]) => {
    const { user } = open(timeline())
    server.use(http.get('/qa-evaluations/e1/calls', () => HttpResponse.json(calls)))
    await user.click(await screen.findByText('평가 과정'))
    const rows = await rowsOf('평가 모델 호출')
    return rows.map((row) => within(row).getAllByRole('cell').at(-1)?.textContent)
  }

  it('do not call a reply used that was asked for again', async () => {
    expect(await outcomes([made('1', {}), made('2', { re_ask: true })])).toEqual([
      '쓸 수 없는 응답',
      '사용함',
    ])
  })

  it('leave open which of the parts was asked for again', async () => {
    const parts = [made('1', {}), made('2', {}), made('3', { re_ask: true })]
    const open = '사용했거나 다시 요청함'
    expect(await outcomes(parts)).toEqual([open, open, '사용함'])
  })
})

describe('while a judge takes its time', () => {
  const running = timeline({
    ...{ status: 'running', now: after(7000), end: after(7000) },
    spans: [
      span('queue', 0, 2000),
      span('attempt', 2000, null, { attempt: 1, model: SMALL, open: true }),
    ],
    awaited: [
      { purpose: 'search_qa_verdict', calls: 3, answered: 1 },
      { purpose: 'claims', calls: 1, answered: 1 },
    ],
  })

  it('says what is there, what is awaited and since when, and later that one may read on', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { user, answers, calls } = open(running)
    await user.click(await screen.findByText('평가 과정'))
    await vi.advanceTimersByTimeAsync(4000)
    const clock = await screen.findByRole('timer', { name: '기다린 시간' })
    expect(clock).toHaveTextContent(/^0:0\d$/)
    expect(screen.getByText(/평가: 주장.*\(3개 중 1개\) – 응답 대기 중/)).toBeVisible()
    expect(screen.getByText(/단계 평가: 근거성 – 응답 받음/)).toBeVisible()
    expect(screen.queryByText(/계속 읽으셔도/)).toBeNull()
    const before = [clock.textContent, calls()]
    answers.push({
      ...running,
      ...{ now: after(19_000), end: after(19_000) },
      spans: [...running.spans, span('call', 3000, 900, call)],
      awaited: [{ purpose: 'search_qa_verdict', calls: 3, answered: 2 }],
    })
    await vi.advanceTimersByTimeAsync(7000)
    await waitFor(() => {
      expect(screen.getByText(/\(3개 중 2개\)/)).toBeVisible()
    })
    expect(screen.getByText(/계속 읽으셔도 됩니다/)).toBeVisible()
    expect(clock.textContent).not.toBe(before[0])
    await waitFor(() => {
      expect(calls()).toBeGreaterThan(Number(before[1]))
    })
  })

  it('says nothing more of a verdict that is there', async () => {
    open(timeline())
    await rowsOf('시간 흐름')
    expect(screen.queryByRole('timer')).toBeNull()
  })
})
