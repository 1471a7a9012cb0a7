import { screen, waitFor, within } from '@testing-library/react'
import { delay, http, HttpResponse } from 'msw'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { renderApp, renderInApp } from '@/testing/render'
import { server } from '@/testing/server'

import { StartRun } from './start/StartRun'
import { generation, METRICS, PASSAGES, progress, run } from './testing'

// A busy machine is slow to load a page for the first time.
beforeAll(async () => {
  await Promise.all([
    import('./list/RunsPage'),
    import('./run/RunPage'),
    import('./list/TrendChart'),
  ])
}, 60_000)

const problem = (status: number, code: string, detail: string, errors?: object[]) =>
  HttpResponse.json(
    { type: `urn:searchqa:problem:${code}`, title: '', status, detail, errors },
    { status },
  )

describe('starting a run', () => {
  const estimate = (cost_usd: number | null) =>
    http.post('/evaluation/datasets/d1/estimate', () =>
      HttpResponse.json({ calls: 9, prompt_tokens: 1200, completion_tokens: 300, cost_usd }),
    )
  const button = () => screen.getByRole('button', { name: '실행' })
  const full = async (cost: number | null) => {
    server.use(estimate(cost))
    const { user } = renderInApp(<StartRun datasetId="d1" />)
    await user.selectOptions(screen.getByLabelText('측정 대상'), 'full_rag')
    return user
  }

  it('is disabled until the price is shown and agreed to, and again when it changes', async () => {
    const user = await full(0.25)
    expect(button()).toBeDisabled()
    expect(await screen.findByText('9')).toBeVisible()
    expect(screen.getByText('입력 1,200 · 출력 300')).toBeVisible()
    expect(button()).toBeDisabled()
    await user.click(screen.getByRole('checkbox', { name: /0\.25/ }))
    expect(button()).toBeEnabled()
    await user.selectOptions(screen.getByLabelText('검색 방법'), 'evidence')
    expect(await screen.findByRole('checkbox')).not.toBeChecked()
    expect(button()).toBeDisabled()
  })

  it('asks to agree to a price that nobody knows', async () => {
    await full(null)
    expect(await screen.findByRole('checkbox', { name: /미리 알 수 없음/ })).toBeVisible()
    expect(button()).toBeDisabled()
  })

  it('asks for no agreement when it is free', async () => {
    await full(0)
    await waitFor(() => {
      expect(button()).toBeEnabled()
    })
    expect(screen.queryByRole('checkbox')).toBeNull()
  })

  it('sends name, judge, answer model and prompt, and shows a refusal at its field', async () => {
    const refusal = '정책의 평가 모델만 지정할 수 있습니다.'
    let sent: unknown
    server.use(
      http.post('/evaluation/datasets/d1/runs', async ({ request }) => {
        sent = await request.json()
        return problem(403, 'judge-not-in-policy', refusal)
      }),
    )
    const user = await full(0)
    await user.type(screen.getByLabelText('이름'), '새 프롬프트')
    await user.type(screen.getByLabelText('평가 모델'), 'openai:gpt-4o')
    await user.type(screen.getByLabelText('답변 모델'), 'openai:gpt-4o-mini')
    await user.type(screen.getByLabelText('평가 프롬프트'), 'search-qa-eval-6{Enter}')
    await waitFor(() => {
      expect(button()).toBeEnabled()
    })
    await user.click(button())
    await waitFor(() => {
      expect(screen.getByLabelText('평가 모델')).toHaveAccessibleDescription(refusal)
    })
    expect(sent).toEqual({
      name: '새 프롬프트',
      k: 5,
      evaluation_type: 'full_rag',
      judge_model: 'openai:gpt-4o',
      answer_model: 'openai:gpt-4o-mini',
      prompt: 'search-qa-eval-6',
    })
  })

  it.each(['0', '51', '2.5', ''])('refuses k = "%s" at its field', async (k) => {
    const { user } = renderInApp(<StartRun datasetId="d1" />)
    const field = screen.getByLabelText('검색 결과 수 (k)')
    await user.clear(field)
    if (k) await user.type(field, k)
    expect(field).toHaveAccessibleDescription('1에서 50까지의 정수를 입력하세요.')
    expect(button()).toBeDisabled()
  })

  it.each([
    [409, 'no-vectors', '아직 벡터가 없습니다.'],
    [422, 'invalid-request', '임베딩 모델이 없습니다.'],
  ])('shows a refused search (%i) at its field', async (status, code, detail) => {
    server.use(http.post('/evaluation/datasets/d1/runs', () => problem(status, code, detail)))
    const { user } = renderInApp(<StartRun datasetId="d1" />)
    const field = screen.getByLabelText('검색 방법')
    await user.selectOptions(field, 'hybrid')
    await user.click(button())
    await waitFor(() => {
      expect(field).toHaveAccessibleDescription(detail)
    })
  })
})

describe('the list of runs', () => {
  beforeEach(() => {
    const items = [{ id: 'd1', name: '실험실', version: 2 }]
    server.use(http.get('/evaluation/datasets', () => HttpResponse.json({ items, next: null })))
  })

  it('draws the runs of one dataset over time, with a table of the same runs', async () => {
    const other = { ...METRICS, k: 3, recall_at_k: 0.5 }
    const items = [run({ id: 'new', name: '새 실행', k: 3, metrics: other }), run({ id: 'old' })]
    server.use(http.get('/evaluation/runs', () => HttpResponse.json({ items, next: null })))
    const { user } = renderApp('/runs?dataset=d1')
    expect(await screen.findByRole('group', { name: '재현율@k 추이 그래프' })).toBeVisible()
    const table = within(screen.getByRole('table', { name: '재현율@k 추이' }))
    expect(table.getAllByRole('link')[0]).toHaveAttribute('href', '/runs/new')
    expect(table.getAllByRole('row')[1]).toHaveTextContent('새 실행0.5000.400 – 0.900k=3')
    expect(screen.getByText(/선을 잇지 않습니다/)).toBeVisible()
    await user.selectOptions(screen.getByLabelText('지표'), 'faithfulness')
    expect(await screen.findByRole('table', { name: '충실도 추이' })).toHaveTextContent('0.900')
    expect(screen.queryByText(/선을 잇지 않습니다/)).toBeNull()
  })

  it('compares the newer of two with the older', async () => {
    const items = [
      run({ id: 'new' }),
      run({ id: 'old' }),
      run({ id: 'gone', status: 'cancelled' }),
      run({ id: 'far', dataset_name: '다른 데이터셋' }),
    ]
    server.use(http.get('/evaluation/runs', () => HttpResponse.json({ items, next: null })))
    const { user } = renderApp('/runs')
    const [newer, older, cancelled, far] = await screen.findAllByRole('checkbox')
    expect(cancelled).toBeDisabled()
    expect(cancelled).toHaveAccessibleDescription('끝난 실행이 아닙니다.')
    expect(far).toBeEnabled()
    if (older) await user.click(older)
    expect(far).toBeDisabled()
    expect(far).toHaveAccessibleDescription('두 데이터셋의 질문이나 정답 문단이 다릅니다.')
    if (newer) await user.click(newer)
    expect(screen.getByRole('link', { name: '고른 실행 비교 (2)' })).toHaveAttribute(
      'href',
      '/runs/compare?a=old&b=new',
    )
    expect(screen.getAllByText('0.750')).toHaveLength(4)
  })

  it('starts a run over a dataset that is chosen', async () => {
    server.use(http.get('/evaluation/runs', () => HttpResponse.json({ items: [], next: null })))
    const { user } = renderApp('/runs')
    const start = await screen.findByRole('button', { name: '실행 시작' })
    await waitFor(() => expect(start).toBeEnabled())
    await user.click(start)
    const dialog = within(await screen.findByRole('dialog', { name: '실행 시작' }))
    expect(dialog.getByRole('combobox', { name: '데이터셋' })).toHaveDisplayValue('실험실 v2')
    expect(dialog.getByRole('button', { name: '실행' })).toBeEnabled()
  })
})

const advice = {
  title: '이상적',
  symptom: '근거가 있습니다.',
  cause: '잘 됩니다.',
  actions: ['유지'],
}
const findings = {
  bands: [
    {
      metric: 'faithfulness',
      score: 0.9,
      band: 'excellent',
      grade: '우수',
      meaning: '단단합니다.',
    },
    { metric: 'answer_relevancy', score: 0.3, band: 'poor', grade: '개선 필요', meaning: '…' },
  ],
  patterns: [{ ...advice, pattern: 'ideal', cases: 1, of_means: true }],
  diagnosis: { ...advice, title: '정상', diagnosis: 'healthy' },
  cases: ['c2', 'c1'].map((test_case_id) => ({
    test_case_id,
    faithfulness: 0.9,
    answer_relevancy: 0.3,
    pattern: 'ideal',
  })),
}
const results = ['c1', 'c2'].map((test_case_id) => ({
  id: test_case_id,
  test_case_id,
  question: `질문 ${test_case_id}?`,
  retrieved_chunk_ids: ['p1'],
  missing_chunk_ids: [],
  recall: 1,
  generated_answer: '<b>95도</b>입니다.',
  faithfulness: 0.9,
  faithfulness_reasoning: '근거가 있음',
  answer_relevancy: 0.3,
  answer_relevancy_reasoning: null,
  error: null,
}))

function answers(state = run(), found: object = findings) {
  server.use(
    http.get('/evaluation/runs/r1/progress', () => HttpResponse.json(state)),
    http.get('/evaluation/runs/r1', () => HttpResponse.json({ ...state, results })),
    http.get('/evaluation/runs/r1/findings', () => HttpResponse.json(found)),
    http.get('/evaluation/runs/r1/cases/:id/passages', () =>
      HttpResponse.json([{ ...PASSAGES[0], rank: null, answers: true }]),
    ),
  )
}

describe('a run', () => {
  it('opens the question that a link names', async () => {
    answers()
    renderApp('/runs/r1?case=c1')
    const question = await screen.findByText('질문 c1?')
    expect(question.closest('details')).toHaveAttribute('open')
    await waitFor(() => {
      expect(question.closest('summary')).toHaveFocus()
    })
    expect(screen.getByText('질문 c2?').closest('details')).not.toHaveAttribute('open')
  })

  it('shows its progress as it comes, then what it has measured', async () => {
    answers(run({ status: 'running', done: 1 }))
    server.use(
      http.get('/evaluation/runs/r1/events', () =>
        progress(run({ status: 'running', done: 2 }), run()),
      ),
    )
    renderApp('/runs/r1')
    expect(await screen.findByRole('heading', { name: '답변의 등급' })).toBeVisible()
    expect(screen.queryByRole('progressbar', { name: '진행' })).toBeNull()
  })

  it('polls while no event can arrive', async () => {
    answers(run({ status: 'running', done: 1 }))
    server.use(http.get('/evaluation/runs/r1/events', () => problem(404, 'not-found', '없음')))
    renderApp('/runs/r1')
    const bar = await screen.findByRole('progressbar', { name: '진행' })
    expect(bar).toHaveAttribute('aria-valuetext', '3개 중 1개')
    answers(run({ status: 'running', done: 2 }))
    await waitFor(() => {
      expect(bar).toHaveAttribute('aria-valuetext', '3개 중 2개')
    })
  })

  it('says that it waits for the budget', async () => {
    const waits = { waits_for: 'budget_spent', waits_until: '2031-05-11T00:00:00Z' } as const
    answers(run({ status: 'running', done: 1, ...waits }))
    server.use(http.get('/evaluation/runs/r1/events', () => problem(404, 'not-found', '없음')))
    renderApp('/runs/r1')
    expect(await screen.findByText(/오늘 예산을 다 써서/)).toBeVisible()
  })

  it('can be cancelled', async () => {
    let cancelled = false
    const state = () => run({ status: cancelled ? 'cancelled' : 'running', summary: null })
    answers()
    server.use(
      http.get('/evaluation/runs/r1/progress', () => HttpResponse.json(state())),
      http.get('/evaluation/runs/r1/events', async () => {
        await delay('infinite')
        return new HttpResponse(null)
      }),
      http.post('/evaluation/runs/r1/cancel', () => {
        cancelled = true
        return HttpResponse.json(state())
      }),
    )
    const { user } = renderApp('/runs/r1')
    await user.click(await screen.findByRole('button', { name: '실행 취소' }))
    expect(await screen.findByText('취소됨')).toBeVisible()
    expect(screen.getByRole('alert')).toHaveTextContent('완료하지 못했습니다')
  })

  it('has means with intervals, bands in words and colours, and the worst case first', async () => {
    answers()
    const { user } = renderApp('/runs/r1')
    const row = await screen.findByRole('row', { name: /재현율@k/ })
    expect(row).toHaveTextContent('0.7500.400 – 0.9003개 중 3개')
    expect(await screen.findByText('우수')).toHaveClass('bg-success-soft')
    expect(screen.getByText('개선 필요')).toHaveClass('bg-danger-soft')
    expect(screen.getByText('평균의 유형')).toBeVisible()
    const questions = await screen.findAllByText(/^질문 c/)
    expect(questions.map((one) => one.textContent)).toEqual(['질문 c2?', '질문 c1?'])

    if (questions[0]) await user.click(questions[0])
    expect(await screen.findByText('<b>95도</b>입니다.')).toBeInTheDocument()
    expect(await screen.findByText('찾지 못한 정답 문단')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'JUnit 보고서' })).toHaveAttribute(
      'href',
      '/evaluation/runs/r1/report?format=junit',
    )
  })

  it('says which passages no longer exist and count as missed', async () => {
    const metrics = { ...METRICS, missing_chunks: 2 }
    const summary = { ...run().summary, metrics }
    answers(run({ summary } as Parameters<typeof run>[0]))
    server.use(
      http.get('/evaluation/runs/r1', () =>
        HttpResponse.json({
          ...run(),
          results: results.map((one) => ({ ...one, missing_chunk_ids: ['gone'] })),
        }),
      ),
    )
    renderApp('/runs/r1')
    expect(await screen.findByText(/정답 문단 2개가 사라져/)).toBeVisible()
    expect(await screen.findAllByText('사라진 정답 문단 1개')).toHaveLength(2)
  })

  it('shows no quality when the judge failed on every case', async () => {
    const summary = { ...run().summary, generation: generation(0) }
    answers(run({ summary } as Parameters<typeof run>[0]), {
      ...findings,
      bands: [],
      patterns: [],
      diagnosis: null,
    })
    renderApp('/runs/r1')
    expect(await screen.findByRole('alert')).toHaveTextContent('답변 품질 지표가 없습니다')
    expect(screen.getByRole('row', { name: /재현율@k/ })).toBeVisible()
    expect(screen.queryByRole('row', { name: /충실도/ })).toBeNull()
    expect(screen.queryByText('답변의 등급')).toBeNull()
  })
})
