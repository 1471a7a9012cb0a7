import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Schema } from '@/lib/api'
import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

import { PASSAGES, run } from './testing'

beforeAll(async () => {
  await import('./compare/ComparePage')
}, 60_000)

const NAMES: Record<string, string> = { a: '이전', b: '이후', c: '새 검색' }
const named = (id: string) => run({ id, name: NAMES[id] ?? id })

beforeEach(() => {
  server.use(
    http.get('/evaluation/runs/:id/progress', ({ params }) =>
      HttpResponse.json(named(String(params.id))),
    ),
  )
})

const difference = (name: string, given: number, significant: boolean) => ({
  name,
  cases: 3,
  unread: 0,
  first: 0.5,
  second: 0.5 + given,
  difference: given,
  low: given - 0.1,
  high: given + 0.1,
  p_value: 0.031,
  significant,
})

const pair: Schema<'Comparison'> = {
  first_id: 'a',
  second_id: 'b',
  first_name: '이전',
  second_name: '이후',
  first_k: 5,
  second_k: 3,
  not_compared: [{ because: 'k', names: ['map'] }],
  first_retrieval: 'text',
  second_retrieval: 'evidence',
  differences: [
    difference('recall_at_k', 0.2, true),
    { ...difference('mrr', -0.2, false), unread: 2 },
  ],
  flipped: [],
  only_first: 2,
  only_second: 0,
  notes_changed: 1,
  first_cost_usd: 0.5,
  second_cost_usd: null,
  first_latency_ms: 10,
  second_latency_ms: 20,
}

const side = (test_case_id: string, answer: string, faithfulness: number) => ({
  state: faithfulness > 0.5 ? ('confirmed' as const) : ('not_in_notes' as const),
  test_case_id,
  answer,
  error: null,
  figures: { mean_faithfulness: faithfulness },
})

const flipped: Schema<'ComparedCase'> = {
  question: '배양기는 몇 도인가요?',
  change: 'now_fails',
  changes: [
    {
      name: 'mean_faithfulness',
      change: 'now_fails',
      first: 0.9,
      second: 0.2,
      first_band: 'excellent',
      second_band: 'poor',
    },
  ],
  first: side('c1', '배양기는 37도입니다.', 0.9),
  second: side('c9', '배양기는 55도입니다.', 0.2),
}
const same: Schema<'ComparedCase'> = {
  ...flipped,
  question: '같은 질문?',
  change: 'same',
  changes: [],
  first: side('c2', '같은 답변', 0.9),
  second: side('c8', '같은 답변', 0.9),
}
const counts = {
  error: 0,
  now_fails: 1,
  now_passes: 0,
  recovered: 0,
  lower: 0,
  higher: 0,
  same: 1,
}

function pairs() {
  server.use(
    http.get('/evaluation/runs/a/compare/b', () => HttpResponse.json(pair)),
    http.get('/evaluation/runs/:id/cases/:case/passages', () =>
      HttpResponse.json([{ ...PASSAGES[0], rank: 1, answers: true }]),
    ),
    http.get('/evaluation/runs/a/compare/b/cases', ({ request }) => {
      const show = new URL(request.url).searchParams.get('show')
      const items = { all: [flipped, same], worse: [flipped], better: [] }[show ?? 'all']
      return HttpResponse.json({ counts, items, next: null })
    }),
  )
}

describe('the comparison of two runs', () => {
  it('has differences with interval and p, the settings, and what is not compared', async () => {
    pairs()
    renderApp('/runs/compare?a=a&b=b')
    const row = await screen.findByRole('row', { name: /재현율@k.*\+0\.200/ })
    expect(row).toHaveTextContent('+0.100 … +0.300')
    expect(row).toHaveTextContent('0.031')
    expect(row).toHaveTextContent('유의하게 나아짐')
    expect(screen.getByRole('row', { name: /MRR/ })).toHaveTextContent('유의한 차이 없음')
    expect(screen.getByText(/\(k\)가 다릅니다. 그래서 비교하지 않은 지표: MAP/)).toBeVisible()
    expect(screen.getByText(/A 2개, B 0개/)).toBeVisible()
    expect(screen.getByText(/질문 1개는 두 실행 사이에 노트가 바뀌어/)).toBeVisible()
    expect(screen.getByText(/읽지 못한 질문 2개/)).toBeVisible()
    expect(await screen.findByText('US$0.50')).toBeVisible()
  })

  it('has the question that flipped first, with both answers, the evidence of each, and links', async () => {
    pairs()
    const { user } = renderApp('/runs/compare?a=a&b=b')
    const question = await screen.findByText('배양기는 몇 도인가요?')
    const item = question.closest('li')
    if (!item) throw new Error('no item')
    expect(item).toHaveTextContent('통과 → 미달')
    expect(item).toHaveTextContent('충실도: 우수 0.900 → 개선 필요 0.200')
    expect(
      screen.getByText('통과에서 미달로 바뀐 질문 1개, 미달에서 통과로 바뀐 질문 0개'),
    ).toBeVisible()
    await user.click(question)
    const opened = within(item)
    const [removed, added] = [opened.getByRole('deletion'), opened.getByRole('insertion')]
    expect(removed).toHaveTextContent('삭제: 37도입니다. 끝')
    expect(added).toHaveTextContent('추가: 55도입니다. 끝')
    const sides = [
      ['B', '노트에 없는 내용', '/runs/b?case=c9'],
      ['A', '노트와 일치', '/runs/a?case=c1'],
    ] as const
    for (const [name, state, href] of sides) {
      await user.click(opened.getByRole('tab', { name: `실행 ${name}` }))
      expect(await opened.findByText(state)).toBeVisible()
      expect(opened.getByText('PCR 변성은 95도에서 한다.')).toBeVisible()
      const link = opened.getByRole('link', { name: `${name} 실행에서 이 질문 보기` })
      expect(link).toHaveAttribute('href', href)
    }
  })

  it('shows only what became worse, or better, and says so where nothing did', async () => {
    pairs()
    const { user } = renderApp('/runs/compare?a=a&b=b')
    await screen.findByText('같은 질문?')
    await user.selectOptions(screen.getByLabelText('보기'), 'worse')
    expect(await screen.findByText('배양기는 몇 도인가요?')).toBeVisible()
    expect(screen.queryByText('같은 질문?')).toBeNull()
    await user.selectOptions(screen.getByLabelText('보기'), '좋아진 질문 (0)')
    expect(await screen.findByText('해당하는 질문이 없습니다.')).toBeVisible()
  })

  it('says what to do when none are chosen', async () => {
    renderApp('/runs/compare?a=a')
    expect(await screen.findByText('비교할 실행을 고르지 않았습니다')).toBeVisible()
  })
})

const against = (
  run_id: string,
  mark: 'highest' | 'lowest' | null,
  given: number,
  significant: boolean,
) => ({ ...difference('', given, significant), run_id, mark, mean: 0.5 + given })

const measured = (id: string) => {
  const { name, created_at, ...settings } = named(id)
  return { ...settings, name, created_at, cost_usd: 0.1, latency_ms: 5 }
}

describe('the comparison of several runs', () => {
  const three = '/runs/compare?a=a&b=b&b=c'

  it('has each against the baseline, with marks in words', async () => {
    server.use(
      http.get('/evaluation/runs/a/comparison', ({ request }) => {
        expect(new URL(request.url).searchParams.getAll('other_id')).toEqual(['b', 'c'])
        return HttpResponse.json({
          baseline: measured('a'),
          runs: [
            { ...measured('b'), not_compared: [], notes_changed: 0 },
            {
              ...measured('c'),
              retrieval: 'hybrid',
              not_compared: [{ because: 'judge', names: ['mean_faithfulness'] }],
              notes_changed: 0,
            },
          ],
          metrics: [
            {
              name: 'recall_at_k',
              cases: 3,
              unread: 0,
              baseline: 0.5,
              baseline_mark: 'lowest',
              runs: [against('b', null, 0.1, false), against('c', 'highest', 0.3, true)],
            },
            {
              name: 'mean_faithfulness',
              cases: 3,
              unread: 0,
              baseline: 0.5,
              baseline_mark: null,
              runs: [against('b', null, 0, false)],
            },
          ],
        })
      }),
    )
    renderApp(three)
    const recall = await screen.findByRole('row', { name: /^재현율@k/ })
    const [, baseline, b, c] = within(recall).getAllByRole('cell')
    expect(baseline).toHaveTextContent('가장 낮음 0.500')
    expect(b).toHaveTextContent('유의한 차이 없음')
    expect(c).toHaveTextContent('가장 높음 0.800+0.300 (+0.200 … +0.400)유의하게 나아짐')
    expect(screen.getByRole('row', { name: /^충실도/ })).toHaveTextContent('비교 불가')
    expect(screen.getByText(/답변을 평가한 모델이 다릅니다/)).toHaveTextContent('새 검색:')
    expect(screen.getByText('(기준과 다름)')).toBeVisible()
  })

  it('can have another baseline, or leave one out, also where it was refused', async () => {
    const detail = '“새 검색” 실행은 “이전” 실행과 비교할 수 없습니다.'
    server.use(
      http.get('/evaluation/runs/a/comparison', () =>
        HttpResponse.json(
          { type: 'urn:searchqa:problem:runs-differ-in-k', title: '', status: 409, detail },
          { status: 409 },
        ),
      ),
    )
    renderApp(three)
    expect(await screen.findByText(detail)).toBeVisible()
    const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
    expect(await screen.findByRole('link', { name: '기준으로: 새 검색' })).toBeVisible()
    expect(href('기준으로: 새 검색')).toBe('/runs/compare?a=c&b=a&b=b')
    expect(href('빼기: 새 검색')).toBe('/runs/compare?a=a&b=b')
    expect(href('빼기: 이전')).toBe('/runs/compare?a=b&b=c')
  })
})
