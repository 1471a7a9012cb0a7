import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeAll, describe, expect, it } from 'vitest'

import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

import type { BenchDetail, JudgeFigures } from '../api/benches'

const PATH = '/evaluation/judge-benches'

// A busy machine is slow to load a page for the first time.
beforeAll(async () => {
  await Promise.all([import('./BenchesPage'), import('./BenchPage')])
}, 60_000)

const RULES = 'offline:rules'
const measured = (value: number | null) => ({ value, interval: null })

function figures(changes: Partial<JudgeFigures> = {}): JudgeFigures {
  return {
    judge: RULES,
    answers: 9,
    failed: 1,
    coverage: 0.9,
    hallucinated: 4,
    threshold: 0.5,
    confusion: { true_positives: 3, false_positives: 2, false_negatives: 1, true_negatives: 5 },
    precision: measured(0.6),
    recall: measured(0.75),
    f1: { value: 0.667, interval: { low: 0.4, high: 0.8 } },
    balanced_accuracy: measured(0.7),
    auroc: measured(null),
    kappa: measured(0.4),
    best_f1: 0.7,
    best_threshold: 0.62,
    spans: null,
    calibration: [
      { low: 0.1, high: 0.2, answers: 4, mean_score: 0.15, grounded: 0.25 },
      { low: 0.2, high: 0.3, answers: 0, mean_score: null, grounded: null },
    ],
    calibration_error: 0.061,
    brier: 0.19,
    cost_usd: 0,
    cost_per_answer_usd: 0,
    prompt_tokens: null,
    completion_tokens: null,
    latency_median_ms: 8,
    latency_p95_ms: 18,
    first_error: null,
    notes: ['1 answers have no usable verdict and count in no figure.'],
    ...changes,
  }
}

function bench(changes: Partial<BenchDetail> = {}): BenchDetail {
  return {
    id: 'b1',
    name: '첫 검증',
    source: 'file',
    judges: [RULES],
    threshold: 0.5,
    judge_spans: true,
    repeats: 1,
    available: 30,
    seed: 0,
    items: 10,
    hallucinated: 4,
    rejected_lines: 1,
    status: 'completed',
    total: 10,
    done: 10,
    failed: 1,
    error_message: null,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    finished_at: null,
    frame: null,
    basis: { en: 'Rests on all.', ko: '`searchqa api`로 무작위로 추출할 수 있습니다.' },
    rejected: [{ line: 7, reason: 'no answer' }],
    summary: { judges: [figures()], differences: [], comparisons: [] },
    ...changes,
  }
}

const list = (...items: object[]) => http.get(PATH, () => HttpResponse.json({ items, next: null }))
const running = bench({ status: 'running', done: 4, summary: null, rejected: [] })

describe('the list of benches', () => {
  it('has a row for each judge, with its figures once they are there', async () => {
    const judges = [RULES, 'openai:x']
    server.use(
      list(
        { ...bench({ judges }), figures: [figures({ auroc: measured(0.75) })] },
        { ...running, id: 'b2', name: '둘째', figures: [] },
      ),
    )
    renderApp('/benches')
    const [rules, model] = await screen.findAllByRole('row', { name: /^첫 검증/ })
    expect(rules).toHaveTextContent(/offline:rules.*파일 \(10\).*완료.*0\.6670\.750/)
    expect(model).toHaveTextContent(/openai:x.*––/)
    expect(screen.getByRole('row', { name: /^둘째/ })).toHaveTextContent('진행 중')
    expect(screen.getByRole('link', { name: '둘째' })).toHaveAttribute('href', '/benches/b2')
  })

  it('says what to do when there is none', async () => {
    server.use(list())
    renderApp('/benches')
    expect(await screen.findByText('아직 검증한 적이 없습니다')).toBeVisible()
  })
})

describe('starting a bench', () => {
  const open = async (cost_usd: number | null) => {
    const sent: FormData[] = []
    server.use(
      list(),
      http.get(`${PATH}/b1`, () => HttpResponse.json(running)),
      http.post(`${PATH}/estimate`, async ({ request }) => {
        sent.push(await request.formData())
        const known = { items: 10, hallucinated: 4, calls: 20, rejected: [] }
        return HttpResponse.json({ ...known, prompt_tokens: 1, completion_tokens: 1, cost_usd })
      }),
    )
    const view = renderApp('/benches')
    await view.user.click(await screen.findByRole('button', { name: '검증 시작' }))
    return { ...view, sent, dialog: within(screen.getByRole('dialog')) }
  }

  it('shows the price first, which must be agreed to again when anything changes', async () => {
    const { user, dialog, router, sent } = await open(0.5)
    let body: unknown
    server.use(
      http.post(PATH, async ({ request }) => {
        body = await request.json()
        return HttpResponse.json(running, { status: 202 })
      }),
    )
    const judges = dialog.getByLabelText('검증할 평가 모델')
    await user.clear(judges)
    expect(dialog.getByRole('button', { name: '비용 확인' })).toBeDisabled()
    await user.type(judges, 'stored, openai:x')
    await user.click(dialog.getByRole('button', { name: '비용 확인' }))
    await user.click(await dialog.findByRole('checkbox'))
    expect(dialog.getByRole('button', { name: '시작' })).toBeEnabled()
    await user.type(dialog.getByLabelText('최대 답변 수'), '5')
    await user.click(dialog.getByRole('button', { name: '비용 확인' }))
    expect(await dialog.findByRole('button', { name: '시작' })).toBeDisabled()
    await user.click(dialog.getByRole('checkbox'))
    await user.click(dialog.getByRole('button', { name: '시작' }))

    await waitFor(() => {
      expect(router.state.location.pathname).toBe('/benches/b1')
    })
    expect(sent.map((form) => [form.getAll('judges'), form.get('limit')])).toEqual([
      [['stored', 'openai:x'], null],
      [['stored', 'openai:x'], '5'],
    ])
    expect(body).toMatchObject({ name: 'bench', judges: ['stored', 'openai:x'], limit: 5 })
    expect(body).not.toHaveProperty('items')
    expect(body).toMatchObject({ labels: null })
  })

  it('takes all feedback only when told to', async () => {
    const { user, dialog, sent } = await open(0)
    await user.selectOptions(dialog.getByLabelText('라벨'), '사람의 라벨 전체')
    await user.click(dialog.getByRole('button', { name: '비용 확인' }))
    expect(await dialog.findByRole('button', { name: '시작' })).toBeEnabled()
    expect(sent.map((form) => form.get('labels'))).toEqual(['all'])
  })

  it('sends a file as it is, and starts at once what costs nothing', async () => {
    const { user, dialog, sent } = await open(0)
    const imported: FormData[] = []
    server.use(
      http.post(`${PATH}/import`, async ({ request }) => {
        imported.push(await request.formData())
        return HttpResponse.json(running, { status: 202 })
      }),
    )
    await user.selectOptions(dialog.getByLabelText('라벨'), '파일')
    expect(dialog.getByRole('button', { name: '비용 확인' })).toBeDisabled()
    const file = new File(['{}'], 'labelled.jsonl')
    await user.upload(dialog.getByLabelText('라벨이 붙은 답변 (JSONL)'), file)
    await user.type(dialog.getByLabelText('이름'), '첫 검증')
    await user.click(dialog.getByRole('button', { name: '비용 확인' }))
    await user.click(await dialog.findByRole('button', { name: '시작' }))

    expect(await screen.findByRole('progressbar', { name: '진행' })).toBeVisible()
    expect(sent[0]?.has('file')).toBe(true)
    expect(imported[0]?.get('name')).toBe('첫 검증')
    expect(imported[0]?.has('file')).toBe(true)
  })
})

describe('a bench', () => {
  it('is followed, and cancelled', async () => {
    let now = running
    server.use(
      http.get(`${PATH}/b1`, () => HttpResponse.json(now)),
      http.post(`${PATH}/b1/cancel`, () => {
        now = bench({ status: 'cancelled', done: 4, summary: null, error_message: '일시 중지' })
        return HttpResponse.json(now)
      }),
    )
    const { user } = renderApp('/benches/b1')
    const bar = await screen.findByRole('progressbar', { name: '진행' })
    expect(bar).toHaveAttribute('aria-valuenow', '40')
    await user.click(screen.getByRole('button', { name: '검증 취소' }))
    expect(await screen.findByText('검증을 완료하지 못했습니다: 일시 중지')).toBeVisible()
  })

  it('has figures with intervals, the four counts and the calibration', async () => {
    const pair = { first: RULES, second: 'openai:x', name: 'balanced_accuracy', answers: 9 }
    const difference = { ...pair, difference: 0.1, interval: null, significant: true }
    const summary = { judges: [figures()], differences: [difference], comparisons: [] }
    server.use(http.get(`${PATH}/b1`, () => HttpResponse.json(bench({ summary }))))
    renderApp('/benches/b1')
    expect(await screen.findByRole('row', { name: /^F1 점수/ })).toHaveTextContent(
      '0.6670.400 – 0.800',
    )
    expect(screen.getByRole('row', { name: /^AUROC/ })).toHaveTextContent('––')
    expect(screen.getByRole('row', { name: /^환각/ })).toHaveTextContent('31')
    expect(screen.getByRole('row', { name: /^근거 있음/ })).toHaveTextContent('25')
    const picture = screen.getByRole('img', { name: 'offline:rules의 보정' })
    expect(picture.querySelectorAll('circle')).toHaveLength(1)
    expect(screen.getByRole('row', { name: /^0\.1 – 0\.2/ })).toHaveTextContent('0.1500.250')
    expect(screen.getByRole('row', { name: /openai:x에서|openai:x로/ })).toHaveTextContent(
      /균형 정확도.*\+0\.100/,
    )
    expect(screen.getByRole('link', { name: 'HTML 보고서' })).toHaveAttribute(
      'href',
      `${PATH}/b1/report?format=html`,
    )
  })

  it('has the remarks of the figures in the language of the reader', async () => {
    const notes = [...figures().notes, 'The stored verdicts were given by openai:x (9).']
    const judges = [figures({ hallucinated: 0, undecided: 3, notes })]
    const summary = { judges, differences: [], comparisons: [] }
    server.use(http.get(`${PATH}/b1`, () => HttpResponse.json(bench({ summary }))))
    renderApp('/benches/b1')
    expect(await screen.findByText(/^라벨이 모두 근거 있음이라/)).toBeVisible()
    expect(screen.getByText(/판단할 수 없는 답변 3개\(25%\)/)).toBeVisible()
    expect(screen.getByText(/^쓸 수 있는 평가가 없는 답변 1개/)).toBeVisible()
    expect(screen.getByText(/^구간 F1에는/)).toBeVisible()
    expect(screen.getByText('저장된 평가를 낸 평가 모델: openai:x (9)')).toBeVisible()
    expect(screen.queryByText(/answers have|stored verdicts/)).toBeNull()
  })

  it('says so where the best F1 is that of calling all answers hallucinated', async () => {
    const summary = { judges: [figures({ best_threshold: 2 })], differences: [], comparisons: [] }
    server.use(http.get(`${PATH}/b1`, () => HttpResponse.json(bench({ summary }))))
    renderApp('/benches/b1')
    expect(await screen.findByText(/모든 답변을 환각으로 볼 때/)).toBeVisible()
    expect(screen.queryByText(/2\.00/)).toBeNull()
  })

  it('shows how steady a judge is that judged each answer more than once', async () => {
    const steadiness = {
      ...{ repeats: 3, answers: 9, judge_share: measured(null) },
      same_verdict: { value: 0.889, interval: { low: 0.7, high: 1 } },
      spread: measured(0.12),
    }
    const criteria = [{ name: 'tone', version: 2, mean: 0.75, scored: 8, answers: 9 }]
    const judges = [figures({ steadiness, criteria })]
    const summary = { judges, differences: [], comparisons: [] }
    server.use(http.get(`${PATH}/b1`, () => HttpResponse.json(bench({ summary, repeats: 3 }))))
    renderApp('/benches/b1')
    const row = await screen.findByRole('row', { name: /^반복해도 같은 평가의 비율/ })
    expect(row).toHaveTextContent(/0\.889.*0\.700.*1\.000/)
    expect(screen.getByRole('row', { name: /^점수 변동 중 평가 모델의 몫/ })).toHaveTextContent('–')
    expect(screen.getByRole('row', { name: /^tone@2/ })).toHaveTextContent('0.750')
  })

  it('says in words which judge agrees more, and what that rests on', async () => {
    const agreement = { first: 0.9, second: 0.8, difference: -0.1, interval: null }
    const comparison = {
      first: RULES,
      second: 'openai:x',
      labels: 120,
      agreement: { ...agreement, interval: { low: -0.15, high: -0.05 } },
      error: agreement,
      costs_per_1000_usd: [0, null],
      winner: RULES,
      more_labels: null,
      note: null,
      sentence: { en: 'The rules agree more.', ko: '규칙 평가 쪽이 더 사람과 일치합니다.' },
    }
    const summary = { judges: [figures()], differences: [], comparisons: [comparison] }
    server.use(http.get(`${PATH}/b1`, () => HttpResponse.json(bench({ summary }))))
    renderApp('/benches/b1')
    expect(await screen.findByText('규칙 평가 쪽이 더 사람과 일치합니다.')).toBeVisible()
    expect(screen.getByText('searchqa api', { selector: 'code' })).toBeVisible()
    const table = screen.getByRole('table', { name: '사람과 더 일치하는 평가 모델' })
    expect(within(table).getAllByRole('row')[1]).toHaveTextContent(
      /120.*0\.900 · 0\.800.*-0\.100.*-0\.150 – -0\.050.*US\$0\.00 · –/,
    )
  })
})
