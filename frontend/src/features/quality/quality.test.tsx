import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { addDays, browserTimeZone, today } from '@/lib/days'
import { day, roundDollars } from '@/lib/figures'
import { changeLanguage } from '@/lib/language'
import { WHO } from '@/testing/feedback'
import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

import { periodOf } from './QualityFilters'
import { compared } from './Summary'
import { byDay } from './charts/points'
import { ms } from './values'

const column = (name: string, type: string, unit: string | null = null) => ({
  name,
  type,
  unit,
  description: name,
})
const DAY = column('day', 'date', 'day')
const counts = { judged: 8, degraded: 0, skipped: 2, failed: 0, pending: 0 }

const QUERIES = {
  'daily-quality': {
    columns: [DAY, column('correctness', 'number', '0..1'), column('answers', 'integer')],
    rows: [
      {
        day: '2026-06-01',
        correctness: 0.9,
        utility: 0.5,
        answers: 10,
        scored: 6,
        decided: 6,
        ...counts,
      },
      {
        day: '2026-06-03',
        correctness: 0.5,
        utility: 0.5,
        answers: 10,
        scored: 2,
        decided: 0,
        ...counts,
      },
      {
        day: '2026-06-04',
        correctness: null,
        utility: null,
        answers: 5,
        scored: 0,
        decided: 0,
        ...counts,
      },
    ],
  },
  'period-comparison': {
    columns: [],
    rows: [
      {
        ...{ period: 'now', first_day: '2026-06-01', last_day: '2026-06-05', answers: 25 },
        ...{ scored: 8, decided: 8, correctness: 0.8, correctness_error: 0.03, utility: 0.5 },
        ...{ utility_error: 0.1, skipped: 6, failed: 0, pending: 0, degraded: 0 },
      },
      {
        ...{ period: 'before', first_day: '2026-05-27', last_day: '2026-05-31', answers: 20 },
        ...{ scored: 10, correctness: 0.7, correctness_error: 0.04, utility: 0.55 },
        ...{ utility_error: 0.1 },
      },
    ],
  },
  'confidence-mix': {
    columns: [DAY, column('high', 'integer')],
    rows: [{ day: '2026-06-01', high: 1, medium: 2, low: 3, answers: 10 }],
  },
  'verdict-latency': {
    columns: [DAY, column('verdict_p50', 'number', 'ms')],
    rows: [{ day: '2026-06-01', verdicts: 8, verdict_p50: 120, verdict_p95: 1500 }],
  },
  'judge-cost': {
    columns: [DAY, column('cost_usd', 'number', 'USD')],
    rows: [
      {
        ...{ day: '2026-06-01', judge_model: 'openai:a.b', calls: 3, cost_usd: 0.12 },
        ...{ unpriced_calls: 1, prompt_tokens: 4000, cached_tokens: 1000, from_cache: 2 },
      },
    ],
  },
  'worst-notes': {
    columns: [column('note_id', 'uuid'), column('title', 'text')],
    rows: [
      { note_id: 'n1', note_ids: 'n1', title: '원심분리기', correctness: 0.4, scored: 3 },
      { note_id: 'n3', note_ids: 'n3 n2', title: '재택근무', correctness: 0.5, scored: 2 },
    ],
  },
  'frequent-issues': {
    columns: [column('kind', 'text'), column('share', 'number', '0..1')],
    rows: [{ kind: 'grounding', issues: 3, answers: 2, judged: 8, share: 0.25 }],
  },
  'judge-reliability': { columns: [], rows: [{ judge_model: 'openai:a.b' }] },
  'by-release': { columns: [], rows: [{ app_version: '1.4.2' }, { app_version: '1.4.1' }] },
}

const bounds = (value: number) => ({ value, low: value - 0.05, high: value + 0.05 })
const CORRECTED = {
  group: null,
  measure: 'grounded',
  answers: 1200,
  covered: 1200,
  drawn: 80,
  labels: 80,
  raw: 0.91,
  corrected: bounds(0.84),
  labels_only: bounds(0.82),
  power: 0.9,
  more_labels: 150,
  strata: [],
  note: null,
  change: null,
}
const TOO_FEW = {
  ...CORRECTED,
  measure: 'utility',
  raw: 0.73,
  labels: 3,
  corrected: null,
  labels_only: null,
  note: 'too_few_labels',
  more_labels: 382,
}

function corrected(...rows: unknown[]) {
  return http.get('/analytics/true-quality', ({ request }) => {
    asked.push(new URL(request.url))
    const by = new URL(request.url).searchParams.get('by')
    return HttpResponse.json({ parameters: {}, by, width: 0.1, sql: 'SELECT 1', rows })
  })
}

const ALARM = {
  id: 'a1',
  judge_model: 'openai:a.b',
  series: 'score',
  compared_from: '2026-05-01',
  began_on: '2026-05-29',
  noticed_on: '2026-06-03',
  before: 0.85,
  after: 0.7,
  answers_before: 2400,
  answers_after: 500,
  causes: [
    {
      dimension: 'answer_model',
      value: 'openai:large',
      name: null,
      part: 0.97,
      share_before: 0,
      share_after: 0.5,
      mean_before: null,
      mean_after: 0.55,
    },
  ],
  acknowledged_at: null,
  created_at: '2026-06-04T03:00:00Z',
}

function alarmed(...rows: unknown[]) {
  return http.get('/analytics/alarms', () =>
    HttpResponse.json({ rows, watched: [], tz: 'Asia/Seoul' }),
  )
}

let asked: URL[] = []

function answer(results: Record<string, { columns: unknown[]; rows: unknown[] }>) {
  return http.get('/analytics/:name', ({ request, params }) => {
    if (['true-quality', 'alarms', 'releases'].includes(String(params.name))) return // left to others
    asked.push(new URL(request.url))
    const name = String(params.name)
    const found = results[name] ?? { columns: [], rows: [] }
    return HttpResponse.json({ ...found, name, sql: `SELECT '${name}'`, truncated: false })
  })
}

// Loading Recharts and the page takes longer than a test waits for an element.
beforeAll(async () => {
  await Promise.all([
    import('./QualityPage'),
    import('./charts/DayLines'),
    import('./charts/DayBars'),
  ])
})
beforeEach(() => {
  asked = []
  server.use(
    corrected(CORRECTED, TOO_FEW),
    alarmed(),
    answer(QUERIES),
    http.get('/notebooks', () => HttpResponse.json([{ id: 'b1', name: '세포 배양' }])),
  )
})

const PAGE = '/quality?since=2026-06-01&until=2026-06-05'
const card = (name: string) => screen.findByRole('region', { name })

describe('the quality page', () => {
  it('shows means with what they are of, in charts that have a name', async () => {
    renderApp(PAGE)
    const daily = await card('날짜별 품질')
    expect(await within(daily).findByRole('img', { name: /평균 정확성과 유용성/ })).toBeVisible()
    expect(within(daily).getByText(/점수가 있는 8개의 평균 · 이 중 75%만 판단됨/)).toBeVisible()
    for (const name of ['날짜별 신뢰도', '평가에 걸린 시간', '평가 비용'])
      expect(await within(await card(name)).findByRole('img')).toBeVisible()
    expect(within(await card('평가 비용')).getByText(/US\$0.12, 호출 3회 중 1회/)).toBeVisible()
  })

  it('says where the charts are marked because another judge took over', async () => {
    const succession = {
      ...{ id: 's1', status: 'completed', old_model: 'openai:old', new_model: 'house:new' },
      ...{ switched_at: '2026-06-02T12:00:00Z', undone_at: null },
    }
    server.use(
      http.get('/judges/successions', () => HttpResponse.json({ items: [succession], next: null })),
    )
    renderApp(PAGE)
    expect(await screen.findByText(/6월 2일: openai:old → house:new/)).toBeVisible()
  })

  it('puts each figure beside that of the period before, in words', async () => {
    renderApp(PAGE)
    const [correctness, utility, coverage] = (await screen.findAllByRole('term')).map(
      (term) => term.parentElement?.textContent,
    )
    expect(correctness).toMatch(/^정확성80%직전 5일\(70%\)보다 10%p 높음/)
    expect(utility).toMatch(/^유용성50%직전 5일\(55%\)과 뚜렷한 차이 없음/)
    expect(coverage).toMatch(/32%직전 5일\(50%\)보다 18%p 낮음/)
    expect(screen.getByText('직전 기간: 5월 27일 ~ 5월 31일, 답변 20개.')).toBeVisible()
  })

  it('says that there is nothing to compare with', async () => {
    const [now] = QUERIES['period-comparison'].rows
    const alone = { 'period-comparison': { columns: [], rows: [now] } }
    server.use(answer({ ...QUERIES, ...alone }))
    renderApp(PAGE)
    expect(await screen.findAllByText('직전 5일에는 데이터 없음')).toHaveLength(3)
  })

  it('opens the evaluations behind each number of a table, and behind each name', async () => {
    const { user, router } = renderApp(`${PAGE}&model=openai:a.b&notebook_id=b1`)
    const base = {
      ...{ order: 'worst', judge_model: 'openai:a.b', notebook_id: 'b1', current: 'true' },
    }
    const opens = (link: HTMLElement, filters: Record<string, string>) => {
      const address = new URL(link.getAttribute('href') ?? '', 'http://x')
      expect(Object.fromEntries(address.searchParams)).toEqual({ ...base, ...filters })
    }
    const period = { since: '2026-06-01', until: '2026-06-05' }
    const daily = await card('날짜별 품질')
    await user.click(await within(daily).findByRole('tab', { name: '표' }))
    const number = within(daily).getByRole('link', { name: '10: 답변, 2026-06-03. 평가 보기' })
    opens(number, { since: '2026-06-03', until: '2026-06-03' })
    const note = within(await card('근거가 가장 약한 노트')).getByRole('link', {
      name: '원심분리기 (3)',
    })
    opens(note, { ...period, cited_note: 'n1', outcome: 'scored' })
    const copies = within(await card('근거가 가장 약한 노트'))
    const merged = copies.getByRole('link', { name: '재택근무 · 같은 노트 2개 (2)' })
    opens(merged, { ...period, cited_note: 'n3 n2', outcome: 'scored' })
    const second = copies.getByRole('link', { name: '재택근무: 사본 2' })
    expect(second).toHaveAttribute('href', '/notes/n2')
    expect(copies.queryByRole('link', { name: /^원심분리기: 사본/ })).toBeNull()
    const issue = within(await card('가장 잦은 문제')).getByRole('link', { name: '근거 이슈' })
    opens(issue, { ...period, issue_kind: 'grounding', status: 'succeeded' })
    const labels = await card('사람의 라벨로 바로잡은 품질')
    const [all] = await within(labels).findAllByRole('link', { name: /^1,200: 답변, 전체/ })
    if (all) opens(all, { ...period, outcome: 'scored' })
    // What the list behind it asks for.
    server.use(
      http.get('/qa-evaluations', () => HttpResponse.json({ items: [], next: null })),
      http.get('/qa-evaluations/ids', () =>
        HttpResponse.json({ ids: [], matching: 0, more: false }),
      ),
      http.get('/qa-evaluations/events', () => new HttpResponse(null, { status: 204 })),
      http.get('/evaluation-views', () => HttpResponse.json({ items: [], next: null })),
    )
    number.focus()
    await user.keyboard('{Enter}')
    await waitFor(() => {
      expect(router.state.location.pathname).toBe('/evaluations')
    })
  })

  it('shows what has changed, what differs and the evaluations behind it', async () => {
    server.use(
      alarmed(
        ALARM,
        { ...ALARM, id: 'a2', causes: [] },
        { ...ALARM, id: 'a3', acknowledged_at: 'x' },
      ),
    )
    renderApp(PAGE)
    const alarms = await card('품질 변화')
    const [named, other, ...more] = within(alarms).getAllByRole('listitem')
    expect(more).toEqual([])
    expect(named).toHaveTextContent(/5월 29일.*평균 정확성.*85%에서 70%로/)
    expect(named).toHaveTextContent('답변 모델 openai:large(변화의 97%)')
    expect(other).toHaveTextContent('두드러진 것 없음')
    const linked = (name: RegExp) => {
      const [link] = within(alarms).getAllByRole('link', { name })
      return Object.fromEntries(new URL(link?.getAttribute('href') ?? '', 'http://x').searchParams)
    }
    const since = { since: '2026-05-29', until: '2026-06-03', tz: 'Asia/Seoul' }
    const whose = { judge_model: 'openai:a.b', current: 'true', outcome: 'scored', order: 'worst' }
    expect(linked(/해당 평가 보기/)).toEqual({ ...since, ...whose })
    const large = { answer_model: 'openai:large' }
    expect(linked(/openai:large/)).toEqual({ ...since, ...whose, ...large })
  })

  it('shows an alarm no more once it is acknowledged', async () => {
    let seen = ''
    server.use(
      http.get('/analytics/alarms', () =>
        HttpResponse.json({
          rows: seen ? [{ ...ALARM, acknowledged_at: 'x' }] : [ALARM],
          watched: [],
          tz: 'UTC',
        }),
      ),
      http.post('/analytics/alarms/:id/acknowledge', ({ params }) => {
        seen = String(params.id)
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user } = renderApp(PAGE)
    const alarms = await card('품질 변화')
    await user.click(within(alarms).getByRole('button', { name: '확인함' }))
    await waitFor(() => {
      expect(screen.queryByRole('region', { name: '품질 변화' })).not.toBeInTheDocument()
    })
    expect(seen).toBe('a1')
  })

  it('says in the language of the page that an alarm could not be acknowledged', async () => {
    server.use(
      alarmed(ALARM),
      http.post('/analytics/alarms/:id/acknowledge', () => HttpResponse.error()),
    )
    const { user } = renderApp(PAGE)
    const alarms = await card('품질 변화')
    await user.click(within(alarms).getByRole('button', { name: '확인함' }))
    expect(await within(alarms).findByRole('alert')).toHaveTextContent('서버에 연결할 수 없습니다')
  })

  it('shows means corrected by labels, and how many are missing where there are too few', async () => {
    renderApp(PAGE)
    const title = '사람의 라벨로 바로잡은 품질'
    const table = await within(await card(title)).findByRole('table', { name: title })
    expect(within(table).getByText('84% (79%~89%)')).toBeVisible()
    expect(within(table).getByText('91%')).toBeVisible()
    expect(within(table).getByText('82% (77%~87%)')).toBeVisible()
    expect(screen.getByText(/근거 있는 답변: 라벨 150개를 더 붙이면/)).toBeVisible()
    expect(
      screen.getByText(/유용성: 라벨이 부족합니다.*382개가 더.*이 라벨이 없는 답변은 77개/),
    ).toBeVisible()
  })

  it('has the corrected mean for its headline, and the judge beside it', async () => {
    server.use(corrected({ ...CORRECTED, measure: 'correctness' }))
    renderApp(PAGE)
    expect(await screen.findByText('사람의 라벨로 바로잡은 값')).toBeVisible()
    // With the mean that is compared, or a lower headline would be said to be above.
    expect(screen.getByText(/^평가 모델 평균 /)).toHaveTextContent(/평균 [\d.]+%.*직전 5일/)
    expect(screen.getByText('84%')).toBeVisible()
  })

  it('compares weeks, with the chance of such a change', async () => {
    const change = { since: '2026-06-01', change: -0.05, low: -0.1, high: 0, p_value: 0.02 }
    server.use(corrected({ ...CORRECTED, group: '2026-06-08', more_labels: 0, change }))
    const { user } = renderApp(PAGE)
    const region = await card('사람의 라벨로 바로잡은 품질')
    await user.selectOptions(within(region).getByRole('combobox', { name: '구분' }), '주')
    expect(await within(region).findByText('-5% (p = 0.020)')).toBeVisible()
    expect(within(region).getByText('2026-06-08 · 근거 있는 답변')).toBeVisible()
    const told = '근거 있는 답변: 2026-06-01보다 2026-06-08 쪽이 5% 낮습니다(-10%~0%, p = 0.020).'
    expect(within(region).getByText(told)).toBeVisible()
    expect(asked.some(({ searchParams }) => searchParams.get('by') === 'week')).toBe(true)
  })

  it('says that weeks cannot be told apart, and that a day has too few answers', async () => {
    const change = { since: '2026-06-01', change: 0.01, low: -0.1, high: 0.12, p_value: 0.8 }
    const few = { ...TOO_FEW, note: 'too_few_answers', more_labels: 0, group: '2026-06-15' }
    server.use(corrected({ ...CORRECTED, group: '2026-06-08', change }, few))
    const { user } = renderApp(PAGE)
    const region = await card('사람의 라벨로 바로잡은 품질')
    await user.selectOptions(within(region).getByRole('combobox', { name: '구분' }), '주')
    expect(await within(region).findByText(/2026-06-01 → .*뚜렷한 차이가 없습니다/)).toBeVisible()
    expect(within(region).getByText(/2026-06-15, 유용성: 답변이 너무 적어/)).toBeVisible()
  })

  it('names the strata that nobody has labelled, and notebooks by their names', async () => {
    const partly = { note: 'partly_covered', covered: 900, strata: ['high · en'], group: 'b1' }
    server.use(corrected({ ...CORRECTED, ...partly }))
    const { user } = renderApp(PAGE)
    const region = await card('사람의 라벨로 바로잡은 품질')
    await user.selectOptions(within(region).getByRole('combobox', { name: '구분' }), '노트북')
    expect(await within(region).findByText(/세포 배양, .* 라벨이 없는 층: high · en/)).toBeVisible()
  })

  it('asks for the days of the browser, and for what the address says', async () => {
    renderApp(`${PAGE}&model=openai:a.b&notebook_id=b1`)
    await waitFor(() => {
      const daily = asked.find(({ pathname }) => pathname.endsWith('/daily-quality'))
      expect(Object.fromEntries(daily?.searchParams ?? [])).toEqual({
        since: '2026-06-01',
        until: '2026-06-05',
        model: 'openai:a.b',
        notebook_id: 'b1',
        tz: browserTimeZone(),
      })
      expect(screen.getByRole('combobox', { name: '평가 모델' })).toHaveValue('openai:a.b')
      expect(screen.getByRole('combobox', { name: '노트북' })).toHaveValue('b1')
    })
  })

  it('keeps its filters in the address', async () => {
    const { user, router } = renderApp('/quality')
    const search = () => new URLSearchParams(router.state.location.search)
    await user.click(await screen.findByRole('button', { name: '최근 7일' }))
    expect(search().get('days')).toBe('7')
    expect(screen.getByRole('button', { name: '최근 7일' })).toHaveAttribute('aria-pressed', 'true')
    await user.selectOptions(
      screen.getByRole('combobox', { name: '노트북' }),
      await screen.findByRole('option', { name: '세포 배양' }),
    )
    expect(Object.fromEntries(search())).toEqual({ days: '7', notebook_id: 'b1' })
    await waitFor(() => {
      const last = asked.findLast(({ pathname }) => pathname.endsWith('/daily-quality'))
      expect(last?.searchParams.get('since')).toBe(addDays(today(), -6))
      expect(last?.searchParams.get('notebook_id')).toBe('b1')
    })
    await router.navigate(-1)
    await waitFor(() => {
      expect(screen.getByRole('combobox', { name: '노트북' })).toHaveValue('')
    })
  })

  it('has the numbers of each chart as a table, a dash for what nobody knows', async () => {
    const { user } = renderApp(PAGE)
    const daily = await card('날짜별 품질')
    await user.click(await within(daily).findByRole('tab', { name: '표' }))
    const rows = within(within(daily).getByRole('table', { name: '날짜별 품질' })).getAllByRole(
      'row',
    )
    expect(rows.map((row) => row.textContent)).toEqual([
      '날짜정확성답변',
      '2026-06-0190%10',
      '2026-06-0350%10',
      '2026-06-04–5',
    ])
    const notes = await card('근거가 가장 약한 노트')
    await user.click(await within(notes).findByRole('tab', { name: '표' }))
    expect(within(notes).getByRole('link', { name: '원심분리기' })).toHaveAttribute(
      'href',
      '/notes/n1',
    )
  })

  it('has the SQL to be copied, and says so when the browser refuses', async () => {
    const { user } = renderApp(PAGE)
    const cost = await card('평가 비용')
    await user.click(await within(cost).findByRole('tab', { name: 'SQL 보기' }))
    expect(within(cost).getByText("SELECT 'judge-cost'")).toBeVisible()
    expect(
      within(cost).getByText(/입력 토큰의 25%를 제공자 캐시에서 읽음 · 저장된 응답을 쓴 평가 2건/),
    ).toBeVisible()
    await user.click(within(cost).getByRole('button', { name: 'SQL 복사' }))
    expect(await navigator.clipboard.readText()).toBe("SELECT 'judge-cost'")

    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
    await user.click(within(cost).getByRole('button', { name: 'SQL 복사' }))
    expect(await screen.findByText(/브라우저가 복사를 막았습니다/)).toBeVisible()
  })

  it('offers the rows of the same filters as a file', async () => {
    renderApp(`${PAGE}&model=x`)
    const link = await within(await card('평가 비용')).findByRole('link', { name: /CSV 받기/ })
    const address = new URL(link.getAttribute('href') ?? '', 'http://x')
    expect(address.pathname).toBe('/analytics/judge-cost')
    expect(address.searchParams.get('format')).toBe('csv')
    expect(address.searchParams.get('model')).toBe('x')
  })

  it('says what to do in a month without answers', async () => {
    server.use(
      answer(
        Object.fromEntries(Object.keys(QUERIES).map((name) => [name, { columns: [], rows: [] }])),
      ),
    )
    const { router } = renderApp(PAGE)
    expect(await screen.findByText('조건에 맞는 답변이 없습니다')).toBeVisible()
    await router.navigate('/quality')
    expect(await screen.findByText('최근 30일 동안 답변이 없습니다')).toBeVisible()
    expect(screen.getByRole('link', { name: '질문하러 가기' })).toHaveAttribute('href', '/')
    expect(screen.queryByRole('img')).toBeNull()
  })

  it('says which query failed, and asks again', async () => {
    let fails = true
    server.use(
      http.get('/analytics/judge-cost', () =>
        fails
          ? HttpResponse.json(
              { type: 'x', title: '', status: 503, detail: '데이터베이스가 바쁩니다' },
              { status: 503 },
            )
          : undefined,
      ),
    )
    const { user } = renderApp(PAGE)
    const cost = await card('평가 비용')
    expect(await within(cost).findByRole('alert')).toHaveTextContent('데이터베이스가 바쁩니다')
    fails = false
    await user.click(within(cost).getByRole('button', { name: '다시 시도' }))
    expect(await within(cost).findByRole('img')).toBeVisible()
  })
})

describe('figures', () => {
  it('leave days without a verdict open, never zero', () => {
    const filters = { since: '2026-05-31', until: '2026-06-02' }
    const rows = [{ day: '2026-06-01', correctness: 0.5 }]
    expect(byDay(rows, filters, () => ({ value: 0.5 }))).toEqual([
      { day: '2026-05-31' },
      { day: '2026-06-01', value: 0.5 },
      { day: '2026-06-02' },
    ])
  })

  it.each([
    [0.8, 0.03, 0.7, 0.04, 'above'],
    [0.6, 0.03, 0.7, 0.04, 'below'],
    // Less than sqrt(0.03² + 0.04²) apart.
    [0.74, 0.03, 0.7, 0.04, 'same'],
    [0.8, null, 0.7, 0.04, 'tooFew'],
    [null, null, 0.7, 0.04, 'tooFew'],
    [0.8, 0.03, null, null, 'none'],
    [0.5, 0, 0.4999, 0, 'same'],
  ] as const)('%s ± %s beside %s ± %s: %s', (value, error, past, pastError, outcome) => {
    expect(compared({ value, error }, { value: past, error: pastError })).toBe(outcome)
  })

  it('are written as the language does', async () => {
    expect(day('2026-06-01')).toBe('6월 1일')
    await changeLanguage('en')
    expect(roundDollars(1234.5)).toBe('$1,230')
    expect(ms(1500)).toBe('1.5 sec')
  })
})

it.each([
  ['days=90', '2026-03-07', '2026-06-04', 90],
  ['', '2026-05-06', '2026-06-04', 30],
  ['since=2026-01-01&until=2026-01-31', '2026-01-01', '2026-01-31', null],
  ['since=2026-02-01&until=2026-01-31', '2026-05-06', '2026-06-04', 30],
  ['since=gestern&until=2026-01-31&days=1', '2026-05-06', '2026-06-04', 30],
])('%s is from %s to %s', (search, since, until, preset) => {
  expect(periodOf(new URLSearchParams(search), '2026-06-04')).toEqual({ since, until, preset })
})

const FIRST = {
  ...{ app_version: '1.4.1', previous_version: null, answers: 40, scored: 40, utility: 0.8 },
  ...{ first_seen_at: '2026-06-01T00:00:00Z', last_seen_at: '2026-06-02T00:00:00Z' },
  ...{ share_high: 0.9, correctness: 0.91, share_high_change: null, correctness_change: null },
  ...{ utility_change: null, corrected: null, corrected_change: null, outcome: null },
  worse_for: null as object | null,
}
const LOWER = { change: -0.2, low: -0.25, high: -0.15, p_value: 0.001 }
const WORSE = {
  ...FIRST,
  ...{ app_version: '1.4.2', previous_version: '1.4.1', correctness: 0.71, outcome: 'worse' },
  correctness_change: LOWER,
  worse_for: { lang: 'ko', topic: '규정', answers: 12, before: 0.91, after: 0.31 },
}

describe('what changed', () => {
  const change = { change: -0.32, low: -0.38, high: -0.25, p_value: 1e-6 }
  const cause = { name: null, part: 0.8, share_before: 0.1, share_after: 0.4, mean_before: 0.91 }
  const show = (changed: object | null) => {
    server.use(
      http.get('/analytics/what-changed', () => HttpResponse.json({ parameters: {}, changed })),
      http.get('/qa-evaluations', ({ request }) => {
        asked.push(new URL(request.url))
        const row = { id: 'e1', lang: 'ko', question: '재택근무는 며칠까지?', correctness: 0.1 }
        return HttpResponse.json({ items: [row], next: null })
      }),
    )
    return renderApp('/quality')
  }
  const yesterday = addDays(today(), -1)
  const worse = {
    ...{ day: yesterday, compared_from: addDays(yesterday, -10), change, outcome: 'worse' },
    ...{ scored: 40, scored_before: 400, correctness: 0.58, correctness_before: 0.9 },
    causes: [
      { ...cause, dimension: 'cited_note', value: 'n1', name: '재택근무 규정', mean_after: null },
      { ...cause, dimension: 'answer_model', value: 'openai:answer-2', mean_after: 0.2 },
    ],
  }

  it('is a sentence, ranked causes with their answers, and the worst answers', async () => {
    const admin = { ...WHO, scopes: [...WHO.scopes, 'admin'] }
    server.use(http.get('/whoami', () => HttpResponse.json(admin)))
    const { user } = show(worse)
    expect(
      await screen.findByText('어제 정확성이 그전 10일보다 32%p 낮아졌습니다(90% → 58%)'),
    ).toBeVisible()
    expect(screen.getByRole('progressbar', { name: '답변 모델 openai:answer-2' })).toHaveAttribute(
      ...(['aria-valuetext', '변화의 80%'] as const),
    )
    const link = screen.getByRole('link', { name: 'openai:answer-2: 해당 답변 보기' })
    const address = new URL(link.getAttribute('href') ?? '', 'http://x')
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      ...{ since: yesterday, until: yesterday, answer_model: 'openai:answer-2', order: 'worst' },
    })
    expect(screen.getByRole('link', { name: '노트 열기' })).toHaveAttribute('href', '/notes/n1')
    // What is no longer there has no answers on that day.
    expect(screen.queryByRole('link', { name: '재택근무 규정: 해당 답변 보기' })).toBeNull()
    expect(await screen.findByRole('link', { name: '알림 설정' })).toHaveAttribute(
      ...(['href', '/settings#webhooks-title'] as const),
    )
    const example = await screen.findByRole('link', { name: '재택근무는 며칠까지?' })
    expect(example).toHaveAttribute('href', '/evaluations/e1')
    const query = asked.find(({ pathname }) => pathname === '/qa-evaluations')?.searchParams
    expect(Object.fromEntries(query ?? [])).toMatchObject({
      ...{ first_day: yesterday, last_day: yesterday, limit: '3', answer_model: 'openai:answer-2' },
    })
    server.use(
      http.get('/evaluation/datasets', () => HttpResponse.json({ items: [], next: null })),
      http.get('/qa-evaluations/e1/feedback', () => HttpResponse.json([])),
    )
    await user.click(screen.getByRole('button', { name: '재택근무는 며칠까지?: 데이터셋에 넣기' }))
    expect(await screen.findByRole('dialog')).toHaveTextContent('재택근무는 며칠까지?')
  })

  it('opens each copy of a note that is a cause', async () => {
    const note = { ...worse.causes[0], value: 'n1 n2', mean_after: 0.2 }
    show({ ...worse, causes: [note] })
    const second = await screen.findByRole('link', { name: '재택근무 규정: 사본 2' })
    expect(second).toHaveAttribute('href', '/notes/n2')
    const title = '재택근무 규정 · 같은 노트 2개'
    const answers = screen.getByRole('link', { name: `${title}: 해당 답변 보기` })
    const address = new URL(answers.getAttribute('href') ?? '', 'http://x')
    expect(address.searchParams.get('cited_note')).toBe('n1 n2')
  })

  it('is one line on a usual day, and speaks English', async () => {
    await changeLanguage('en')
    show({ ...worse, outcome: 'usual', causes: [], day: today() })
    const line = 'Today: correctness 58%, as usual (90% over the 11 days before)'
    expect(await screen.findByText(line)).toBeVisible()
    expect(screen.queryByRole('link', { name: 'All answers of the day' })).toBeNull()
  })
})

describe('the page of releases', () => {
  const show = (...rows: object[]) => {
    server.use(
      http.get('/analytics/releases', ({ request }) => {
        asked.push(new URL(request.url))
        return HttpResponse.json({ parameters: {}, rows })
      }),
    )
    return renderApp('/releases?since=2026-06-01&until=2026-06-05&environment=prod&app_version=x')
  }

  it('says for whom a release is worse, and opens these answers', async () => {
    show(WORSE, FIRST)
    const sentence = await screen.findByText(/1.4.2: 1.4.1보다 나빠졌습니다/)
    expect(sentence).toHaveTextContent('정확성이 20%p 낮습니다(-25~-15%p)')
    const group = screen.getByText(/규정에 관한 한국어 질문에서 나빠졌습니다. 답변 12개/)
    const link = within(group).getByRole('link', { name: '낮은 답변 보기' })
    const address = new URL(link.getAttribute('href') ?? '', 'http://x')
    expect(Object.fromEntries(address.searchParams)).toEqual({
      ...{ since: '2026-06-01', until: '2026-06-05', environment: 'prod', app_version: '1.4.2' },
      ...{ lang: 'ko', order: 'worst', current: 'true', outcome: 'scored' },
    })
    const query = asked.find(({ pathname }) => pathname.endsWith('/releases'))?.searchParams
    expect([query?.get('environment'), query?.get('app_version')]).toEqual(['prod', null])
    expect(screen.getByText('1.4.1: 이 기간의 첫 릴리스입니다.')).toBeVisible()
  })

  it('gives zero no sign', async () => {
    const none = { change: 1e-17, low: -1e-16, high: 1e-16 }
    show({ ...WORSE, utility: 0.8, utility_change: none }, FIRST)
    expect(await screen.findByText('변화 0%p (0~0)')).toBeVisible()
  })

  it('goes by what labels say where there are enough', async () => {
    const bounds = { value: 0.6, low: 0.5, high: 0.7 }
    show({
      ...WORSE,
      ...{ corrected: bounds, worse_for: null },
      corrected_change: { ...LOWER, change: -0.3, since: '1.4.1' },
    })
    expect(await screen.findByText(/라벨로 바로잡은 정확성이 30%p 낮습니다/)).toBeVisible()
  })

  it('says how releases are named where none is, and speaks English', async () => {
    await changeLanguage('en')
    show()
    expect(await screen.findByText('No answer names its release yet')).toBeVisible()
    show(WORSE)
    expect(
      await screen.findByText(/Worse for Korean questions about 규정, 12 answers/),
    ).toBeVisible()
  })
})
