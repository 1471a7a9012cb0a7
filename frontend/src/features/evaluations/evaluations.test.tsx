import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { browserTimeZone } from '@/lib/days'
import { evaluation, JUDGED } from '@/testing/evaluation'
import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'
import { timeline } from '@/testing/timeline'

import type { EvaluationRow } from './api/list'
import { exportAddress, queryOf } from './filters'
import { row } from './testing'

/** A stream of events that the test writes to, open until the page leaves it. */
function stream() {
  let writer: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      writer = controller
    },
  })
  const send = (told: { id: string; answer_id: string }) => {
    const text = `event: evaluation\nid: 1-1\ndata: ${JSON.stringify(told)}\n\n`
    writer?.enqueue(new TextEncoder().encode(text))
  }
  const handler = http.get(
    '/qa-evaluations/events',
    () => new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } }),
  )
  return { handler, send }
}

let asked: URLSearchParams[] = []
let pages: Record<string, { items: EvaluationRow[]; next: string | null }> = {}

// Loading the code of the pages takes longer than a test waits for an element.
beforeAll(async () => {
  await Promise.all([import('./EvaluationsPage'), import('./EvaluationPage')])
})
beforeEach(() => {
  asked = []
  pages = {
    first: { items: [row('1'), row('2', { status: 'running', confidence: null })], next: 'mark' },
    mark: { items: [row('3')], next: null },
  }
  server.use(
    http.get('/qa-evaluations', ({ request }) => {
      const query = new URL(request.url).searchParams
      asked.push(query)
      return HttpResponse.json(pages[query.get('after') ?? query.get('answer_id') ?? 'first'])
    }),
    http.get('/qa-evaluations/events', () => new HttpResponse(null, { status: 204 })),
    http.get('/qa-evaluations/ids', () =>
      HttpResponse.json({ ids: [], matching: 1234, more: false }),
    ),
    http.get('/notebooks', () => HttpResponse.json([])),
    http.get('/evaluation-views', () => HttpResponse.json({ items: [], next: null })),
  )
})

const shown = () => screen.getAllByRole('link', { name: /^질문/ }).map((link) => link.textContent)

describe('the list of verdicts', () => {
  it('keeps its filters in the address, and asks for them', async () => {
    const { user, router } = renderApp('/evaluations?confidence=low&min_utility=7')
    expect(await screen.findByRole('link', { name: '질문 1' })).toBeVisible()
    expect(asked[0]?.toString()).toBe('confidence=low&current=true')
    expect(await screen.findByText('총 1,234개')).toBeVisible()

    await user.click(screen.getByRole('button', { name: '실패' }))
    await user.type(screen.getByRole('textbox', { name: '질문에 포함된 단어' }), 'PCR{Enter}')
    await user.selectOptions(screen.getByRole('combobox', { name: '정렬' }), '정확성 낮은 순')
    await waitFor(() => {
      expect(Object.fromEntries(asked.at(-1) ?? [])).toEqual({
        confidence: 'low',
        status: 'failed',
        question: 'PCR',
        order: 'worst',
        current: 'true',
      })
    })
    expect(new URLSearchParams(router.state.location.search).get('question')).toBe('PCR')

    await user.click(screen.getByRole('button', { name: '모두 지우기' }))
    await waitFor(() => {
      expect(router.state.location.search).toBe('?order=worst')
    })
    await user.click(screen.getByRole('checkbox', { name: '이전 평가 포함' }))
    await waitFor(() => {
      expect(asked.at(-1)?.toString()).toBe('order=worst')
    })
    await user.click(screen.getByRole('button', { name: '필터 더 보기' }))
    await user.selectOptions(screen.getByRole('combobox', { name: '신뢰도' }), '낮음')
    expect(await screen.findByText('신뢰도:')).toBeVisible()
  })

  it('shows its filters in words, each with a button that takes it away', async () => {
    const note = '019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11'
    server.use(
      http.get('/notebooks', () => HttpResponse.json([{ id: 'b1', name: '실험실' }])),
      http.get('/notes/:id', ({ params }) =>
        params.id === note
          ? HttpResponse.json({ id: note, title: '원심분리기' })
          : HttpResponse.json({ type: 'x', title: '', status: 404, detail: 'x' }, { status: 404 }),
      ),
    )
    const { user, router } = renderApp(
      `/evaluations?since=2026-06-01&until=2026-06-01&tz=Pacific/Kiritimati&outcome=scored&lang=xx` +
        `&notebook_id=b1&issue_kind=grounding&reason=no_context&judge_model=offline:rules` +
        `&cited_note=${note}%20${note}&misquoted_note=${note.replace('019', '018')}&correctness_below=0.5`,
    )
    const chips = await screen.findByRole('list', { name: '적용한 필터' })
    await within(chips).findByText('원심분리기 +1')
    await within(chips).findByText('지금은 없는 노트')
    expect(
      within(chips)
        .getAllByRole('listitem')
        .map((chip) => chip.textContent),
    ).toEqual([
      '답변한 날: 2026. 6. 1. (Pacific/Kiritimati)',
      '결과: 점수 있음',
      '평가 모델: 규칙 평가(offline:rules)',
      '이유: 노트 없음',
      '문제: 근거 이슈',
      '노트북: 실험실',
      '인용한 노트: 원심분리기 +1',
      '잘못 인용한 노트: 지금은 없는 노트',
      '정확성 미만(0~1): 0.5',
    ])
    expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject({
      ...{ first_day: '2026-06-01', last_day: '2026-06-01', tz: 'Pacific/Kiritimati' },
      ...{ outcome: 'scored', cited_note: `${note} ${note}`, correctness_below: '0.5' },
    })

    await user.click(within(chips).getByRole('button', { name: '필터 지우기: 결과: 점수 있음' }))
    await user.click(within(chips).getByRole('button', { name: /^필터 지우기: 답변한 날/ }))
    const left = () => new URLSearchParams(router.state.location.search)
    await waitFor(() => {
      expect([...left().keys()]).not.toContain('since')
      expect([...left().keys()]).not.toContain('tz')
    })
    expect(left().get('outcome')).toBeNull()
    expect(left().get('cited_note')).toBe(`${note} ${note}`)
    // Focus does not fall to the top of the page.
    expect(chips.parentElement).toHaveFocus()
    await user.tab()
    expect(within(chips).getByRole('button', { name: /평가 모델/ })).toHaveFocus()
  })

  it('goes on page by page', async () => {
    const { user } = renderApp('/evaluations')
    await user.click(await screen.findByRole('button', { name: '더 보기' }))
    await screen.findByRole('link', { name: '질문 3' })
    expect(shown()).toEqual(['질문 1', '질문 2', '질문 3'])
    expect(screen.queryByRole('button', { name: '더 보기' })).toBeNull()
  })

  it('marks what changes, on every page, and counts what is new instead of jumping', async () => {
    const { handler, send } = stream()
    server.use(handler)
    const { user } = renderApp('/evaluations?columns=status,correctness')
    await user.click(await screen.findByRole('button', { name: '더 보기' }))
    await screen.findByRole('link', { name: '질문 3' })

    pages.first = {
      items: [
        row('4'),
        row('1'),
        row('2', { correctness: 0.31, judged_by: 'model', outcome: null }),
      ],
      next: 'mark',
    }
    pages['a-3'] = { items: [row('3', { status: 'failed' })], next: null }
    for (const id of ['4', '2', '3']) send({ id, answer_id: `a-${id}` })

    const more = await screen.findByRole('button', { name: '새 평가 1개 보기' })
    expect(shown()).toEqual(['질문 1', '질문 2', '질문 3'])
    const second = screen.getByRole('row', { name: /질문 2/ })
    expect(within(second).getByText('변경됨')).toBeVisible()
    expect(within(second).getByText('31%')).toBeVisible()
    expect(within(screen.getByRole('row', { name: /질문 1/ })).queryByText(/%/)).toBeNull()
    expect(within(screen.getByRole('row', { name: /질문 3/ })).getByText('실패')).toBeVisible()
    expect(within(screen.getByRole('row', { name: /질문 1/ })).queryByText('변경됨')).toBeNull()

    await user.click(more)
    await waitFor(() => {
      expect(shown()[0]).toBe('질문 4')
    })
    expect(screen.queryByText('변경됨')).toBeNull()
  })

  it('counts a hundred new verdicts, and none that the list has by now', async () => {
    const { handler, send } = stream()
    server.use(handler)
    renderApp('/evaluations')
    await screen.findByRole('link', { name: '질문 1' })
    pages.first = { items: Array.from({ length: 110 }, (_, n) => row(String(n))), next: null }
    send({ id: '4', answer_id: 'a-4' })
    expect(await screen.findByRole('button', { name: '새 평가 100개 이상 보기' })).toBeVisible()

    // Coming back to the window reads the list again.
    fireEvent(window, new Event('visibilitychange'))
    await screen.findByRole('link', { name: '질문 109' })
    pages.first.items.unshift(row('110'))
    send({ id: '110', answer_id: 'a-110' })
    expect(await screen.findByRole('button', { name: '새 평가 1개 보기' })).toBeVisible()
  })

  it('tells nothing yet from nothing that matches', async () => {
    pages.first = { items: [], next: null }
    const { router } = renderApp('/evaluations')
    expect(await screen.findByText('아직 평가가 없습니다')).toBeVisible()
    await router.navigate('/evaluations?confidence=low')
    expect(await screen.findByText('조건에 맞는 평가가 없습니다')).toBeVisible()
  })

  it('says what went wrong, and asks again', async () => {
    const problem = { type: 'x', title: '', status: 422, detail: '기간이 너무 깁니다' }
    let fails = true
    server.use(
      http.get('/qa-evaluations', () =>
        fails ? HttpResponse.json(problem, { status: 422 }) : undefined,
      ),
    )
    const { user } = renderApp('/evaluations')
    expect(await screen.findByRole('alert')).toHaveTextContent('기간이 너무 깁니다')
    fails = false
    await user.click(screen.getByRole('button', { name: '다시 시도' }))
    expect(await screen.findByRole('link', { name: '질문 1' })).toBeVisible()
  })
})

describe('filters', () => {
  it('name whole days of the reader, and leave out what makes no sense', () => {
    const query = queryOf(
      new URLSearchParams('since=2026-06-01&until=2026-06-02&status=lost&order=worst&tab=list'),
    )
    expect(query).toEqual({
      first_day: '2026-06-01',
      last_day: '2026-06-02',
      tz: browserTimeZone(),
      order: 'worst',
    })
  })

  it('hold for the export too', () => {
    const query = queryOf(new URLSearchParams('question=a%26b&order=worst'))
    expect(exportAddress(query, 'csv')).toBe('/qa-evaluations/export?question=a%26b&format=csv')
  })
})

it('the review queue gives reasons, and how far judge and people agree', async () => {
  const unknown = { pairs: 3, answers: 3, kappa: null, low: null, high: null, exact: 1, why: 'few' }
  const table = [
    [1, 0, 0],
    [0, 2, 1],
    [0, 0, 8],
  ]
  server.use(
    http.get('/review/sampled', () =>
      HttpResponse.json({
        queue: [{ draw_id: 'd1', position: 3, number: 3, inclusion_probability: 0.2 }],
        remaining: 68,
        labelled: 2,
        drawn: 70,
      }),
    ),
    http.get('/qa-evaluations/review-queue', () =>
      HttpResponse.json({
        items: [
          {
            score: 1,
            reasons: [{ reason: 'near_threshold', weight: 1, text: '점수가 기준값에 가깝습니다' }],
            evaluation: row('9'),
          },
          {
            score: 1,
            reasons: [{ reason: 'near_threshold', weight: 1, text: '점수가 기준값에 가깝습니다' }],
            evaluation: row('8', { outcome: 'undecided' }),
          },
        ],
        next: null,
      }),
    ),
    http.get('/review/agreement', () =>
      HttpResponse.json({
        twice: 12,
        pairs: [
          {
            ...{ first: 'jun', second: 'mina' },
            agreement: { ...unknown, answers: 12, kappa: 0.55, low: 0.2, high: 0.8, exact: 0.75 },
          },
          { first: 'jun', second: 'sol', agreement: unknown },
          { first: 'mina', second: 'sol', agreement: { ...unknown, answers: 11 } },
        ],
      }),
    ),
    http.get('/qa-evaluations/agreement', () =>
      HttpResponse.json({
        judge_model: null,
        of_answers: {
          ...unknown,
          pairs: 12,
          answers: 12,
          kappa: 0.714,
          low: 0.5,
          high: 0.9,
          confusion: table,
        },
        of_claims: { ...unknown, confusion: table },
      }),
    ),
  )
  renderApp('/evaluations?tab=review')
  expect(await screen.findByText('점수가 기준값에 가깝습니다')).toBeVisible()
  expect(screen.getByText('규칙으로 판단할 수 없습니다')).toBeVisible()
  expect(screen.getByRole('link', { name: '질문 9' })).toHaveAttribute('href', '/evaluations/9')
  expect(screen.getByText('95% 구간 0.50 ~ 0.90')).toBeVisible()
  expect(screen.getByText(/κ 0.71/)).toBeVisible()
  expect(screen.getByText(/라벨이 부족합니다\(라벨이 있는 답변 3개\)/)).toBeVisible()
  const drawn = screen.getByRole('region', { name: '무작위로 추출한 답변' })
  expect(within(drawn).getByText('추출한 답변 70개 중 2개에 라벨이 있습니다')).toBeVisible()
  expect(within(drawn).getByRole('link', { name: '라벨 붙이기' })).toHaveAttribute('href', '/label')
  expect(within(drawn).queryByRole('button')).toBeNull()
  expect(screen.getByRole('link', { name: '하나씩 라벨 붙이기' })).toHaveAttribute(
    'href',
    '/label?source=doubtful',
  )
  const people = await screen.findByRole('table', { name: '두 사람씩 비교한 일치도' })
  const rows = within(people).getAllByRole('row').slice(1)
  expect(rows.map((each) => each.textContent)).toEqual([
    'jun · mina120.5595% 구간 0.20 ~ 0.8075%',
    'jun · sol310개부터 계산–100%',
    'mina · sol11모두 같은 라벨–100%',
  ])
})

it('draws answers for people to label, and says why it cannot', async () => {
  const empty = { queue: [], remaining: 0, labelled: 0, drawn: 0 }
  const bodies: unknown[] = []
  server.use(
    http.get('/review/sampled', () => HttpResponse.json(empty)),
    http.get('/qa-evaluations/review-queue', () => HttpResponse.json({ items: [], next: null })),
    http.get('/qa-evaluations/agreement', () => new HttpResponse(null, { status: 503 })),
    http.get('/review/agreement', () => HttpResponse.json({ twice: 0, pairs: [] })),
    http.post('/review/samples', async ({ request }) => {
      bodies.push(await request.json())
      const detail = '이 기간에는 추출할 평가된 답변이 없습니다.'
      return HttpResponse.json({ type: 'x', title: '', status: 422, detail }, { status: 422 })
    }),
  )
  const { user } = renderApp('/evaluations?tab=review')
  const drawn = await screen.findByRole('region', { name: '무작위로 추출한 답변' })
  await user.click(await within(drawn).findByRole('button', { name: '답변 200개 추출' }))
  expect(await within(drawn).findByText(/추출할 평가된 답변이 없습니다/)).toBeVisible()
  expect(bodies).toEqual([{ size: 200, stratify: [] }])
})

describe('one verdict', () => {
  const CLAIM = {
    position: 1,
    claim: '변성은 99도',
    verdict: 'unsupported',
    note_index: 1,
    quote: '변성: 95도',
    quote_found: true,
    start: 0,
    end: 5,
    reasoning: '노트에는 95도입니다',
  } as const
  const view = evaluation({
    id: 'e1',
    answer_id: 'a1',
    current_id: 'e1',
    status: 'succeeded',
    qa_evaluation: JUDGED,
    feedback: {
      groundedness: { source: 'rules', groundedness: 0, claims: [CLAIM], fallback: null },
    } as never,
  })
  let posted: unknown[] = []
  let said: object[] = []

  beforeEach(() => {
    posted = []
    said = []
    const at = '2026-06-01T00:00:00Z'
    server.use(
      http.get('/whoami', () => HttpResponse.json({ workspace: 'w', token: '검토자', scopes: [] })),
      http.get('/qa-evaluations/e1', () => HttpResponse.json(view)),
      http.get('/qa-evaluations/e1/sources', () =>
        HttpResponse.json([
          {
            ...{ note_index: 1, note_id: 'n1', title: 'PCR 조건', content: '변성: 95도, 30초' },
            ...{ score: 3.2, cited: true, relevant_claim: '', quote: '95도', quote_found: true },
          },
        ]),
      ),
      http.get('/qa-evaluations/e1/calls', () =>
        HttpResponse.json([
          {
            ...{ id: 'c1', attempt: 2, created_at: at, provider: 'openai', model: 'gpt' },
            ...{ prompt_tokens: 1200, completion_tokens: 30, cost_usd: 0.002, latency_ms: 850 },
            ...{ cached_tokens: 1024, elapsed_ms: 900, purpose: 'quality_check', re_ask: true },
            ...{ batched: false, cascade_step: 2, retry_after: 'malformed' },
            ...{ error: 'timed out', discarded: false },
          },
        ]),
      ),
      http.get('/qa-evaluations/e1/timeline', () => HttpResponse.json(timeline())),
      http.get('/qa-evaluations/e1/history', () =>
        HttpResponse.json([{ at, status: 'retrying', refinement_id: null }]),
      ),
      http.get('/qa-evaluations/e1/feedback', () => HttpResponse.json(said)),
      http.post('/qa-evaluations/e1/feedback', async ({ request }) => {
        const body = (await request.json()) as object
        posted.push(body)
        const stored = {
          ...{ id: `f${posted.length}`, claim_position: null, utility_label: null, comment: null },
          ...{ author: '검토자', updated_at: at, ...body },
        }
        said = [...said, stored]
        return HttpResponse.json(stored)
      }),
    )
    pages.a1 = { items: [row('e1'), row('e0', { is_current: false })], next: null }
  })

  it('shows sources, calls, attempts, and the other verdicts of the answer', async () => {
    const { user } = renderApp('/evaluations/e1')
    await user.click(await screen.findByText('평가 과정'))
    const calls = await screen.findByRole('table', { name: '평가 모델 호출' })
    expect(screen.queryByRole('table', { name: '순차 평가' })).toBeNull()
    expect(within(calls).getByText('timed out')).toBeVisible()
    expect(within(calls).getByText('1,200 / 30 (캐시 1,024)')).toBeVisible()
    const [, made] = within(calls).getAllByRole('row')
    expect(made).toHaveTextContent(
      /체크리스트.*2번째 모델 · 재시도 원인: malformed · 첫 응답을 쓸 수 없어 다시 요청.*900ms/,
    )
    expect(await screen.findByText('다시 시도')).toBeVisible()
    const others = screen.getByRole('region', { name: '이 답변의 모든 평가' })
    expect(await within(others).findByRole('link')).toHaveAttribute('href', '/evaluations/e0')
  })

  it('leads from a sentence to its quote and back, by keyboard too', async () => {
    const { user } = renderApp('/evaluations/e1')
    const notes = await screen.findByRole('group', { name: '찾은 노트' })
    const sentence = await screen.findByRole('button', { name: /변성은 99도 — 노트에서 보기/ })
    const quote = await within(notes).findByRole('button', { name: '변성: 95도' })
    expect(notes).toHaveTextContent('1. PCR 조건 인용됨')
    expect(sentence).toHaveAttribute('aria-pressed', 'false')
    sentence.focus()
    await user.keyboard('{Enter}')
    expect(sentence).toHaveAttribute('aria-pressed', 'true')
    expect(quote.parentElement).toHaveClass('outline-2')
    expect(
      screen.getAllByRole('status').some((each) => each.textContent.includes('노트에는 95도')),
    ).toBe(true)
    await user.click(screen.getByRole('button', { name: '노트 1 열기' }))
    expect(sentence).toHaveAttribute('aria-pressed', 'false')
    quote.focus()
    await user.keyboard('{Enter}')
    expect(sentence).toHaveAttribute('aria-pressed', 'true')
  })

  it('does not call a note uncited before there is a verdict', async () => {
    const waiting = { ...view, status: 'queued', qa_evaluation: null, feedback: null }
    const source = { note_index: 1, note_id: 'n1', title: 'PCR 조건', content: '', score: 3.2 }
    server.use(
      http.get('/qa-evaluations/e1', () => HttpResponse.json(waiting)),
      http.get('/qa-evaluations/e1/events', () => new HttpResponse(null, { status: 204 })),
      http.get('/qa-evaluations/e1/sources', () =>
        HttpResponse.json([
          { ...source, cited: false, relevant_claim: '', quote: '', quote_found: null },
        ]),
      ),
    )
    renderApp('/evaluations/e1')
    const sources = await screen.findByRole('group', { name: '찾은 노트' })
    expect(await within(sources).findByText('1. PCR 조건')).toBeVisible()
    expect(sources).not.toHaveTextContent(/인용/)
  })

  it('shows the turns before, and what the question was understood as', async () => {
    const history = [{ question: '여름에는?', answer: '9시에 엽니다.' }]
    const standalone_question = '겨울에 매장은 몇 시에 열어요?'
    server.use(
      http.get('/qa-evaluations/e1', () =>
        HttpResponse.json({ ...view, history, standalone_question }),
      ),
    )
    const { user } = renderApp('/evaluations/e1')

    expect(await screen.findByText(standalone_question)).toBeVisible()
    expect(screen.getByText('9시에 엽니다.')).not.toBeVisible()
    await user.click(screen.getByText('앞선 대화 1개'))
    expect(screen.getByText('9시에 엽니다.')).toBeVisible()
  })

  it('shows what each judge of a cascade said, where there was one', async () => {
    const step = {
      ...{ judge_model: 'offline:rules', prompt_version: 'rules-3', correctness: 0.72 },
      ...{ utility: 0.8, confidence: 'medium', sure: false, checked: false, decided: false },
      ...{ cost_usd: 0, judge_ms: 4, error: null },
    }
    const none = { correctness: null, utility: null, confidence: null, cost_usd: null }
    const small = { ...step, ...none, judge_model: 'openai:small', error: 'paused' }
    const large = { ...step, judge_model: 'openai:large', cost_usd: 0.002, decided: true }
    server.use(
      http.get('/qa-evaluations/e1', () =>
        HttpResponse.json({ ...view, cascade: [step, small, large] }),
      ),
    )
    const { user } = renderApp('/evaluations/e1')
    await user.click(await screen.findByText('평가 과정'))
    const table = await screen.findByRole('table', { name: '순차 평가' })
    const [, first, second, third] = within(table).getAllByRole('row')
    expect(first).toHaveTextContent(/규칙.*규칙으로는 판단할 수 없음.*다음 모델로.*US\$0/)
    expect(second).toHaveTextContent(/openai:small–평가하지 못함: paused–/)
    expect(third).toHaveTextContent(/openai:large.*최종 평가.*US\$0.002/)
  })

  it('says in words what a rule of an own criterion found, and a share of a judge', async () => {
    const by = { version: 1, label: null, reasoning: null, source: 'rules' }
    const criteria = [
      { ...by, name: 'short', value: 1, reasoning: '19자' },
      { ...by, name: 'is_json', value: 0 },
      { ...by, name: 'tone', value: 0.7, source: 'judge' },
    ]
    server.use(http.get('/qa-evaluations/e1', () => HttpResponse.json({ ...view, criteria })))
    renderApp('/evaluations/e1')
    const own = await screen.findByRole('region', { name: '자체 기준' })
    expect(own).toHaveTextContent('short충족19자is_json미충족tone70%')
  })

  it('shows which label of a claim is mine, of earlier visits too', async () => {
    const label = (id: string, author: string, label: string) => ({
      ...{ id, author, label, claim_position: 1, utility_label: null, comment: null },
      updated_at: '2026-06-01T00:00:00Z',
    })
    said = [label('f1', '동료', 'right'), label('f2', '검토자', 'wrong')]
    renderApp('/evaluations/e1')
    const claim = await screen.findByRole('group', { name: '주장에 대한 라벨: 변성은 99도' })
    const right = await within(claim).findByRole('button', { name: '맞음 1' })
    const wrong = within(claim).getByRole('button', { name: '틀림 1' })
    await waitFor(() => {
      expect(wrong).toHaveAttribute('aria-pressed', 'true')
    })
    expect(right).toHaveAttribute('aria-pressed', 'false')
  })

  it('takes what people say of a claim and of the answer', async () => {
    const { user } = renderApp('/evaluations/e1')
    const claim = await screen.findByRole('group', { name: '주장에 대한 라벨: 변성은 99도' })
    await user.click(within(claim).getByRole('button', { name: '틀림' }))
    expect(await within(claim).findByRole('button', { name: '틀림 1' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    const whole = screen.getByRole('region', { name: '사람의 라벨' })
    const send = within(whole).getByRole('button', { name: '라벨 남기기' })
    expect(send).toBeDisabled()
    await user.click(within(whole).getByRole('button', { name: '일부 맞음' }))
    await user.selectOptions(within(whole).getByRole('combobox', { name: '유용성' }), '유용함')
    await user.type(within(whole).getByRole('textbox'), '온도가 다릅니다')
    await user.click(send)
    await waitFor(() => {
      expect(posted).toEqual([
        { label: 'wrong', claim_position: 1 },
        { label: 'partly', utility_label: 'useful', comment: '온도가 다릅니다' },
      ])
    })
  })

  it('is judged again, once it is said by whom and at what cost; a refusal is told', async () => {
    let asked: unknown
    server.use(
      http.post('/evaluation/rejudge/estimate', async ({ request }) => {
        asked = await request.json()
        return HttpResponse.json({
          ...{ judge_model: 'openai:x', prompt: 'search-qa-eval-4', answers: 9, matching: 1 },
          ...{ to_judge: 1, judged: 0, not_judged: 0, calls: 1, prompt_tokens: 9 },
          ...{ completion_tokens: 9, cost_usd: 0.002, unpriced: null, batch_cost_usd: null },
          bulk_by: 'calls',
        })
      }),
      http.post('/qa-evaluations/e1/rejudge', () =>
        HttpResponse.json(
          { type: 'x', title: '', status: 409, detail: '이미 평가했습니다' },
          { status: 409 },
        ),
      ),
    )
    const { user } = renderApp('/evaluations/e1')
    await user.click(await screen.findByRole('button', { name: '다시 평가' }))
    expect(await screen.findByText('openai:x · search-qa-eval-4')).toBeVisible()
    expect(screen.getAllByText(/0\.002/)).not.toHaveLength(0)
    expect(asked).toMatchObject({ filter: { evaluation_ids: ['e1'] } })
    await user.click(screen.getByRole('button', { name: '1개 다시 평가' }))
    expect(await screen.findByText('이미 평가했습니다')).toBeVisible()
  })

  it('is deleted with its answer, once that is confirmed', async () => {
    const deleted: string[] = []
    server.use(
      http.delete('/answers/:id', ({ params }) => {
        deleted.push(String(params.id))
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user, router } = renderApp('/evaluations/e1')
    await user.click(await screen.findByRole('button', { name: '답변 삭제' }))
    expect(deleted).toEqual([])
    await user.click(await screen.findByRole('button', { name: '삭제' }))
    await waitFor(() => {
      expect(router.state.location.pathname).toBe('/evaluations')
    })
    expect(deleted).toEqual(['a1'])
  })
})
