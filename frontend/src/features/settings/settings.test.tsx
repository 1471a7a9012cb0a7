import { screen, within, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import type { Schema } from '@/lib/api'
import { evaluation, JUDGED } from '@/testing/evaluation'
import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

import { FIELDS, type Draft } from './policyFields'
import { mistakesOf } from './usePolicyDraft'

type Policy = Schema<'WorkspacePolicy'>

const NOTHING = Object.fromEntries(Object.keys(FIELDS).map((name) => [name, null])) as Policy

function settings(policy: Policy, version = 3): Schema<'EvaluationSettings'> {
  const own = { ...NOTHING, ...policy }
  const server = {
    ...{ ...NOTHING, enabled: true, sample_rate: 1, judge_model: 'offline:rules' },
    phases: ['citation' as const],
  }
  const given = Object.entries(own).filter(([, value]) => value !== null)
  return {
    version,
    updated_at: null,
    policy: own,
    server,
    effective: { ...server, ...Object.fromEntries(given) },
    sources: Object.fromEntries(
      Object.entries(own).map(([name, value]) => [name, value === null ? 'server' : 'workspace']),
    ),
    problems: [],
    budget: null,
    calibrations: [],
    cascade_calibration: null,
  }
}

const token = (name: string, more: Partial<Schema<'TokenRead'>> = {}): Schema<'TokenRead'> => ({
  id: name,
  name,
  scopes: ['read'],
  state: 'valid',
  created_at: '2026-01-01T00:00:00Z',
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  subject: null,
  current: false,
  ...more,
})

type Tokens = () => Schema<'TokenRead'>[]
/** API tokens, and the sessions that are listed beside them. */
const tokens = (items: Tokens, sessions: Tokens = () => []) =>
  http.get('/tokens', ({ request }) => {
    const isOfSessions = new URL(request.url).searchParams.get('kind') === 'session'
    return HttpResponse.json({ items: isOfSessions ? sessions() : items(), next: null })
  })

const problem = (status: number, code: string, detail: string) =>
  HttpResponse.json({ type: `urn:searchqa:problem:${code}`, title: '', status, detail }, { status })

const who = (...scopes: string[]) =>
  http.get('/whoami', () => HttpResponse.json({ workspace: '실험실', token: 'local', scopes }))

beforeEach(() => {
  server.use(
    who('admin', 'read', 'write'),
    http.get('/settings/evaluation', () => HttpResponse.json(settings({ keep_events_days: 7 }))),
    http.get('/notebooks', () =>
      HttpResponse.json([{ id: 'b1', name: '실험 노트', notes: 1, created_at: '' }]),
    ),
    http.get('/judge-prompts', () =>
      HttpResponse.json({
        items: [
          { id: 'p2', reference: 'workspace:strict@2', retired_at: null },
          { id: 'p1', reference: 'workspace:strict@1', retired_at: '2026-01-01T00:00:00Z' },
        ],
        next: null,
      }),
    ),
    http.get('/judges/paused', () => HttpResponse.json([])),
    http.get('/judges/limits', () => HttpResponse.json([])),
    http.get('/judges/endings', () => HttpResponse.json([])),
    http.get('/judges/models', () => HttpResponse.json({ models: [], unreachable: [] })),
    http.post('/settings/evaluation/forecast', () => HttpResponse.json(DAY)),
    tokens(() => []),
    http.get('/webhooks', () => HttpResponse.json({ items: [], next: null })),
  )
})

const DAY = { answers: 1234, judged: 1234, cost_usd: 3.1, at_most: false }

const save = () => screen.getByRole('button', { name: '저장' })
type User = ReturnType<typeof renderApp>['user']

/** Waits until a message is there, and drawn. */
const seen = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeVisible())

/** Opens the controls of a statement, by the name of its first field. */
async function change(user: User, field: string) {
  await user.click(await screen.findByRole('button', { name: `${field} 변경` }))
}

/** The share of answers that are judged, with its controls open. */
async function rate(user: User) {
  await change(user, '답변 평가')
  return screen.getByRole('textbox', { name: /비율/ })
}

describe('the policy', () => {
  it('is sentences, of which those of the workspace are marked and can be put back', async () => {
    const { user } = renderApp('/settings')

    const kept = await screen.findByText(/이벤트는 7일 뒤에 삭제합니다/)
    expect(kept.parentElement).toHaveTextContent(
      '이벤트는 7일 뒤에 삭제합니다. (이 워크스페이스에서 설정)',
    )
    const judged = screen.getByText('모든 답변을 평가합니다.')
    expect(judged.closest('li')).not.toHaveTextContent('이 워크스페이스에서 설정')
    expect(screen.getByText('답변마다 모델 없이 규칙으로 평가합니다.')).toBeVisible()
    expect(screen.queryByRole('textbox', { name: /비율/ })).toBeNull()

    await user.click(screen.getByRole('button', { name: '서버 설정으로 되돌리기: 답변 보관(일)' }))
    expect(screen.getByText('이벤트는 무기한 보관합니다.').closest('li')).toHaveTextContent(
      '저장 전',
    )
    expect(screen.getByText('저장하지 않은 변경 1개')).toBeVisible()
    await user.click(screen.getByRole('button', { name: '변경 취소' }))
    expect(screen.getByText(/이벤트는 7일 뒤에/)).toBeVisible()
    expect(screen.queryByRole('button', { name: '저장' })).toBeNull()
  })

  it('is searched in both languages', async () => {
    const { user } = renderApp('/settings')
    const search = await screen.findByRole('searchbox', { name: '설정 검색' })
    expect(await screen.findByText('하루 예산 제한은 없습니다.')).toBeVisible()
    await user.type(search, 'time zone')
    expect(screen.getByText('하루 예산 제한은 없습니다.')).toBeVisible()
    expect(screen.queryByText(/모든 답변을/)).toBeNull()
    expect(screen.queryByRole('heading', { name: 'API 토큰' })).toBeNull()
    await user.clear(search)
    await user.type(search, 'xyzzy')
    expect(screen.getByText('일치하는 설정이 없습니다.')).toBeVisible()
    await user.clear(search)
    await user.type(search, 'slack')
    expect(screen.getByRole('heading', { name: '웹훅' })).toBeVisible()
  })

  it('offers models with price and health, and says what a change will do', async () => {
    const sent: unknown[] = []
    const model = { prompt_usd: 0.1, completion_usd: 0.4, paused: false, ends_on: null }
    const models = [
      { ...model, model: 'openai:gpt-6-luna' },
      { ...model, model: 'house:qwen', prompt_usd: null, completion_usd: null, paused: true },
      { ...model, model: 'openai:old', ends_on: '2027-01-14' },
    ]
    server.use(
      http.get('/judges/models', () => HttpResponse.json({ models, unreachable: ['away'] })),
      http.post('/settings/evaluation/forecast', async ({ request }) => {
        const body = (await request.json()) as Policy
        const judge = body.judge_model
        if (judge) sent.push([judge, body.fallback_models])
        return HttpResponse.json({ ...DAY, cost_usd: judge ? 3.1 : 0 })
      }),
    )
    const { user } = renderApp('/settings')
    const choose = async (name: RegExp, at = 0) => {
      const button = screen.getAllByRole('button', { name }).at(at)
      if (button) await user.click(button)
    }
    await change(user, '평가 모델')
    await user.click(screen.getByRole('textbox', { name: '평가 모델' }))
    const list = await screen.findAllByRole('button', { name: /gpt-6-luna/ })
    expect(list[0]).toHaveTextContent('토큰 100만 개당 입력 US$0.10, 출력 US$0.40 · 연결됨')
    expect(screen.getAllByText('가격을 알 수 없음 · 일시 중지')[0]).toBeVisible()
    expect(screen.getAllByText(/2027\. 1\. 14\. 종료/)[0]).toBeVisible()
    expect(screen.getAllByText(/응답하지 않는 서버: away/)[0]).toBeVisible()
    await choose(/gpt-6-luna/)
    expect(screen.getByText('답변마다 openai:gpt-6-luna 모델이 평가합니다.')).toBeVisible()
    const fallbacks = screen.getByRole('textbox', { name: /대체/ })
    await user.type(fallbacks, 'x:y, qw')
    await choose(/house:qwen/, -1)
    expect(fallbacks).toHaveValue('x:y, house:qwen')
    expect(
      await screen.findByText(
        '하루 답변 약 1,200개 중 1,200개 평가, 하루 US$3.1. 지금은 1,200개, 하루 US$0.',
      ),
    ).toBeVisible()
    await waitFor(() => expect(sent.at(-1)).toEqual(['openai:gpt-6-luna', ['x:y', 'house:qwen']]))
  })

  it('says how far a budget goes', async () => {
    const { user } = renderApp('/settings')
    await change(user, '하루 예산(미국 달러)')
    await user.type(screen.getByRole('textbox', { name: /하루 예산/ }), '1')
    expect(await screen.findByText(/하루 약 398개까지 평가하고/)).toBeVisible()
    server.use(
      http.post('/settings/evaluation/forecast', () =>
        problem(422, 'unpriced', '가격이 없습니다.'),
      ),
    )
    await user.type(screen.getByRole('textbox', { name: /하루 예산/ }), '2')
    expect(await screen.findByText('가격이 없습니다.')).toBeVisible()
  })

  it('offers prompts of the workspace that are not retired', async () => {
    const { user } = renderApp('/settings')
    await change(user, '평가 프롬프트 버전')

    expect(await screen.findByRole('option', { name: 'workspace:strict@2' })).toBeInTheDocument()
    expect(screen.queryByRole('option', { name: 'workspace:strict@1' })).toBeNull()
    expect(screen.getAllByRole('option', { name: /^workspace:/ })).toHaveLength(1)
  })

  it('shows which judge has a guarantee, and which has no more', async () => {
    const calibration = {
      ...{ judge_model: 'openai:gpt-4o-mini', prompt_version: '4', precision: 0.95 },
      ...{ confidence: 0.9, threshold: 0.93, labels: 240, labels_right: 236, stays_high: 0.81 },
      ...{ lapsed: true, policy_version: 3, created_at: '2026-11-20T00:00:00Z' },
    }
    const found = { ...settings({ sample_rate: null }), calibrations: [calibration] }
    server.use(http.get('/settings/evaluation', () => HttpResponse.json(found)))
    renderApp('/settings')

    const list = await screen.findByRole('region', { name: /보장/ })
    expect(within(list).getByText(/0.93 이상에서.*95% 이상이 맞습니다.*81%/)).toBeVisible()
    expect(within(list).getByText(/240개 중 236개/)).toBeVisible()
    expect(within(list).getByText(/만료/)).toBeVisible()
  })

  it('is saved whole, with the version that was read', async () => {
    const sent: [string | null, unknown][] = []
    server.use(
      http.put('/settings/evaluation', async ({ request }) => {
        const body = (await request.json()) as Policy
        sent.push([request.headers.get('If-Match'), body])
        return HttpResponse.json(settings(body, 4))
      }),
    )
    const { user } = renderApp('/settings')
    await user.type(await rate(user), '0.25')
    await change(user, '자동 개선')
    await user.selectOptions(screen.getByRole('combobox', { name: '자동 개선' }), '끔')
    await change(user, '평가 모델')
    await user.type(screen.getByRole('textbox', { name: /대체 평가 모델/ }), 'openai:a, openai:b')
    await change(user, '답변 보관(일)')
    await user.clear(screen.getByRole('textbox', { name: '이벤트 보관(일)' }))
    await change(user, '평가할 기능')
    const notebooks = screen.getByRole('group', { name: '평가할 노트북' })
    await user.click(within(notebooks).getByRole('checkbox', { name: '실험 노트' }))
    // The last one that is taken away leaves all.
    const languages = within(screen.getByRole('group', { name: '평가할 언어' }))
    await user.click(languages.getByRole('checkbox', { name: '영어' }))
    expect(screen.getByText('영어만,')).toBeVisible()
    await user.click(languages.getByRole('checkbox', { name: '영어' }))
    await change(user, '평가 단계')
    const phases = screen.getByRole('group', { name: '평가 단계' })
    await user.click(within(phases).getByRole('checkbox', { name: '인용' }))
    expect(screen.getByText('평가 단계는 실행하지 않습니다.')).toBeVisible()
    await user.click(save())

    await seen('평가 정책을 저장했습니다.')
    const policy = {
      ...NOTHING,
      sample_rate: 0.25,
      auto_refine: false,
      fallback_models: ['openai:a', 'openai:b'],
      notebook_ids: ['b1'],
      phases: [],
    }
    expect(sent).toEqual([['"3"', policy]])
    expect(screen.getByText('답변의 25%를 평가합니다.').closest('li')).toHaveTextContent(
      '이 워크스페이스에서 설정',
    )
    expect(screen.queryByRole('button', { name: '저장' })).toBeNull()
  })

  it('tells of a mistake at its field, and is not sent', async () => {
    const { user } = renderApp('/settings')
    const field = await rate(user)
    await user.type(field, '2')

    expect(field).toBeInvalid()
    expect(field).toHaveAccessibleDescription('0에서 1 사이의 수를 입력하세요.')
    expect(screen.getByText('모든 답변을 평가합니다.')).toBeVisible()
    expect(save()).toBeDisabled()
  })

  it('shows what the server refuses at the field', async () => {
    const detail = 'time_zone: 없는 시간대입니다.'
    server.use(http.put('/settings/evaluation', () => problem(422, 'unknown-time-zone', detail)))
    const { user } = renderApp('/settings')
    await change(user, '하루 예산(미국 달러)')
    const zone = screen.getByRole('textbox', { name: /시간대/ })
    await user.type(zone, 'Asia/Nowhere')
    await user.click(save())

    expect(await screen.findByText('없는 시간대입니다.')).toBeVisible()
    expect(zone).toBeInvalid()
    await user.type(zone, '2')
    expect(zone).toBeValid()
  })

  it('that somebody else has saved meanwhile keeps the edits and shows both values', async () => {
    const sent: unknown[] = []
    const theirs = { sample_rate: 0.75, keep_events_days: 30, features: ['insight' as const] }
    let there = settings({ sample_rate: 0.5, keep_events_days: 7 })
    let reads = 0
    server.use(
      http.get('/settings/evaluation', () => {
        // The first look after the refusal fails.
        return ++reads === 2 ? HttpResponse.error() : HttpResponse.json(there)
      }),
      http.put('/settings/evaluation', async ({ request }) => {
        const policy = (await request.json()) as Policy
        sent.push([request.headers.get('If-Match'), policy])
        if (sent.length === 1) {
          there = settings(theirs, 4)
          return problem(412, 'precondition-failed', '그사이 정책이 바뀌었습니다.')
        }
        return HttpResponse.json(settings(policy, 5))
      }),
    )
    const { user } = renderApp('/settings')
    const field = await rate(user)
    await change(user, '답변 보관(일)')
    const days = screen.getByRole('textbox', { name: '이벤트 보관(일)' })
    await user.clear(field)
    await user.type(field, '0.25')
    await user.clear(days)
    await user.type(days, '9')
    await change(user, '자동 개선')
    await user.selectOptions(screen.getByRole('combobox', { name: '자동 개선' }), '끔')
    await user.click(save())
    await user.click(await screen.findByRole('button', { name: '다시 시도' }))

    await screen.findByText(/다른 사람이/)
    const alert = within(screen.getByRole('alert'))
    const row = (name: RegExp) => alert.getByText(name).closest('li')
    expect(row(/75%를 평가/)).toHaveTextContent('저장된 값: 답변의 75%를 평가합니다.저장된 값 쓰기')
    expect(row(/30일 뒤에/)).toHaveTextContent('저장된 값 쓰기')
    expect(row(/기능만/)).toHaveTextContent(/^저장된 값: 인사이트 기능만$/)
    expect(alert.queryByText(/자동으로 개선/)).toBeNull()
    expect(field).toHaveValue('0.25')

    await user.click(alert.getByRole('button', { name: '이벤트 보관(일): 저장된 값 쓰기' }))
    expect(days).toHaveValue('30')
    await user.click(save())
    await seen('평가 정책을 저장했습니다.')
    const policy = { ...NOTHING, ...theirs, sample_rate: 0.25, auto_refine: false }
    expect(sent[1]).toEqual(['"4"', policy])
    expect(screen.queryByText(/다른 사람이/)).toBeNull()
  })

  it('that cannot be saved keeps the edits, and is sent again', async () => {
    let tries = 0
    server.use(
      http.put('/settings/evaluation', async ({ request }) => {
        const policy = (await request.json()) as Policy
        return ++tries === 1 ? HttpResponse.error() : HttpResponse.json(settings(policy, 4))
      }),
    )
    const { user } = renderApp('/settings')
    const field = await rate(user)
    await user.type(field, '0.25')
    await user.click(save())
    await user.click(await screen.findByRole('button', { name: '다시 시도' }))
    await seen('평가 정책을 저장했습니다.')
    expect(field).toHaveValue('0.25')
  })

  it('is only shown to those who may not change it', async () => {
    server.use(who('read'))
    renderApp('/settings')

    expect(await screen.findByText(/정책을 바꾸려면 관리 권한이 필요합니다\./)).toBeVisible()
    expect(await screen.findByText('모든 답변을 평가합니다.')).toBeVisible()
    expect(screen.queryByRole('button', { name: /변경$|되돌리기/ })).toBeNull()
  })

  it.each<[Draft, string[]]>([
    [{ sample_rate: '1', features: null, phases: [], daily_budget_usd: '0.0001' }, []],
    [{ features: [], sample_rate: 'x' }, ['sample_rate']],
    [
      { keep_answers_days: '1.5', refine_iterations: '6' },
      ['keep_answers_days', 'refine_iterations'],
    ],
    [{ min_answer_chars: '10', max_answer_chars: '9' }, ['max_answer_chars']],
    [{ judge_model: '모델', fallback_models: 'a b c d e f' }, ['fallback_models', 'judge_model']],
    [{ daily_budget_usd: '0' }, ['daily_budget_usd']],
  ])('%j has mistakes in %j', (draft, names) => {
    expect(Object.keys(mistakesOf(draft)).sort()).toEqual(names)
  })
})

describe('resuming a judge', () => {
  const model = 'openai:gpt-4o-mini'
  const PAUSE = { judge_model: model, reason: 'HTTP 401', paused_at: '2026-01-01' }

  // The seconds for which a judge is watched; they pass when a test lets them.
  const waits: (() => void)[] = []
  beforeEach(() => {
    const { setTimeout } = globalThis
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((end: () => void, after?: number) => {
      if (after !== 1000) return setTimeout(end, after)
      return waits.push(end)
    }) as typeof setTimeout)
  })

  /** Resumes it; `looks`: whether it is paused at each look after that, at the last for good. */
  async function resume(...looks: boolean[]) {
    let resumed = 0
    server.use(
      who('read', 'operator'),
      http.get('/judges/paused', () => {
        const paused = resumed === 0 || (looks.length > 1 ? looks.shift() : looks[0])
        return HttpResponse.json(paused ? [{ ...PAUSE, probe_at: '2026-01-01' }] : [])
      }),
      http.post('/judges/:model/resume', ({ params }) => {
        expect(params.model).toBe(model)
        resumed++
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user } = renderApp('/settings')
    expect(await screen.findByText('HTTP 401')).toBeVisible()
    await user.click(await screen.findByRole('button', { name: `${model} 다시 시작` }))
  }

  function letTimePass() {
    const timer = setInterval(() => {
      for (const end of waits.splice(0)) end()
    })
    onTestFinished(() => {
      clearInterval(timer)
    })
  }

  it('is not said to have worked when it is paused again', async () => {
    letTimePass()
    await resume(false, false, true)
    await seen(`${model} 모델이 다시 일시 중지되었습니다. HTTP 401`)
    expect(screen.getByText('HTTP 401')).toBeVisible()
    expect(screen.queryByText(/다시 일시 중지되지 않았습니다/)).toBeNull()
  })

  it('is said to have worked once it has not been paused again', async () => {
    await resume(false)
    expect(await screen.findByText(/확인하는 중입니다/)).toBeVisible()
    expect(screen.getByText('일시 중지된 평가 모델이 없습니다.')).toBeVisible()
    expect(screen.queryByText(/다시 일시 중지되지 않았습니다/)).toBeNull()
    letTimePass()
    expect(
      await screen.findByText(`${model} 모델을 다시 시작했고, 다시 일시 중지되지 않았습니다.`),
    ).toBeVisible()
  })
})

describe('the limits of judges', () => {
  it('are shown with the share of them that is used', async () => {
    server.use(
      who('read'),
      http.get('/judges/limits', () =>
        HttpResponse.json([
          {
            judge_model: 'openai:x',
            requests_per_minute: 600,
            tokens_per_minute: 400000,
            max_in_flight: null,
            configured: true,
            allowance: 0.85,
            held_until: null,
            in_flight: null,
            workers: 2,
            waiting: 1200,
          },
        ]),
      ),
    )
    renderApp('/settings')

    expect(await screen.findByText('분당 요청 600회 · 분당 토큰 400,000개')).toBeVisible()
    expect(
      screen.getByText('현재 한도의 85%까지 사용합니다 · 한도를 기다리는 평가 1,200개'),
    ).toBeVisible()
  })
})

describe('models that end', () => {
  it('are shown with their last day and what uses them', async () => {
    const uses = [
      { kind: 'server', name: 'SEARCHQA_JUDGE_MODEL' },
      { kind: 'dataset', name: '회귀' },
    ]
    server.use(
      http.get('/judges/endings', () =>
        HttpResponse.json([
          { model: 'openai:x', ends_on: '2027-01-14', days: 50, uses },
          { model: 'openai:y', ends_on: '2026-11-25', days: 0, uses: uses.slice(0, 1) },
        ]),
      ),
    )
    renderApp('/settings')

    expect(await screen.findByText('2027-01-14에 종료, 50일 남음')).toBeVisible()
    expect(screen.getByText('서버 설정 SEARCHQA_JUDGE_MODEL · 데이터셋 회귀')).toBeVisible()
    expect(screen.getByText('2026-11-25에 종료: 지금 다른 모델로 바꾸세요')).toBeVisible()
  })
})

const [OLD, NEW] = ['openai:old', 'house:new']
const interval = { low: -0.2, high: -0.1 }
const side = (judge_model: string, failed: number) => ({
  ...{ judge_model, verdicts: 60 - failed, stored: 0, failed, first_error: 'malformed' },
  ...{
    with_people: null,
    usd_per_1000: { value: 1.5, interval },
    seconds: { value: 2, interval },
  },
})
const shift = { figure: 'correctness', answers: 60, first: 0.9, second: 0.75, difference: -0.15 }
const summary = {
  ...{ old: side(OLD, 0), new: side(NEW, 30), pairs: 30, labelled: 12 },
  agreement: { exact: 0.5 },
  people: { first: 0.8, second: 0.7, difference: -0.1, interval },
  shifts: [
    { ...shift, group: 'all', value: '', interval, comparable: 'no' },
    { ...shift, group: 'lang', value: 'ko', interval: null, comparable: 'unclear' },
    {
      ...{ ...shift, figure: 'criterion', group: 'all', value: 'tone', alike: 0.9 },
      ...{ interval, comparable: 'yes' },
    },
  ],
  objections: ['fails'],
}
const succession = {
  ...{ id: 's1', old_model: OLD, new_model: NEW, status: 'completed', total: 120, done: 120 },
  ...{ switched_at: null, undone_at: null, error_message: null, summary },
}

describe('a succession', () => {
  it('is priced, then begun, from a model that ends', async () => {
    const sent: unknown[] = []
    const own = settings({ judge_model: OLD })
    const effective = { ...own.effective, judge_model: OLD }
    server.use(
      http.get('/settings/evaluation', () => HttpResponse.json({ ...own, effective })),
      http.get('/judges/endings', () =>
        HttpResponse.json([{ model: OLD, ends_on: '2027-01-14', days: 50, uses: [] }]),
      ),
      http.post('/judges/successions/estimate', () =>
        HttpResponse.json({ answers: 60, labelled: 12, too_dear: 0, calls: 120, cost_usd: 0.5 }),
      ),
      http.post('/judges/successions', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json(succession, { status: 202 })
      }),
    )
    const { user } = renderApp('/settings')
    await user.click(await screen.findByRole('button', { name: '후속 모델 고르기' }))
    await user.type(screen.getByRole('textbox', { name: '후속 모델' }), NEW)
    await user.click(screen.getByRole('button', { name: '비용 추정' }))
    expect(await screen.findByText(/라벨 12개.*US\$0\.5/)).toBeVisible()
    expect(sent).toEqual([])
    await user.click(screen.getByRole('button', { name: '비교 시작' }))
    expect(await screen.findByText('두 모델이 평가를 시작했습니다.')).toBeVisible()
    expect(sent).toEqual([{ old: OLD, new: NEW, answers: 200, seed: 0, max_cost_usd: null }])
  })

  it('says what is held against the new judge, switches all the same, and goes back', async () => {
    let now = succession as Record<string, unknown>
    const forced: unknown[] = []
    server.use(
      http.get('/judges/successions', () => HttpResponse.json({ items: [now], next: null })),
      http.get('/judges/successions/s1', () => HttpResponse.json(now)),
      http.post('/judges/successions/s1/switch', async ({ request }) => {
        forced.push(await request.json())
        now = { ...now, switched_at: '2026-11-20T00:00:00Z' }
        return HttpResponse.json(now)
      }),
      http.post('/judges/successions/s1/undo', () => {
        now = { ...now, undone_at: '2026-11-21T00:00:00Z' }
        return HttpResponse.json(now)
      }),
    )
    const { user } = renderApp('/settings')
    await user.click(await screen.findByText(`${OLD} → ${NEW}`))
    expect(await screen.findByText(/답변 60개 중 30개를 평가하지 못했습니다/)).toBeVisible()
    expect(screen.getByRole('cell', { name: '불가' })).toBeVisible()
    expect(screen.getByText(/지금 80%, 후속 모델 70%/)).toBeVisible()
    expect(screen.getByText('tone(90% 일치)')).toBeVisible()
    await user.click(screen.getByRole('button', { name: `그래도 ${NEW} 모델로 전환` }))
    await user.click(await screen.findByRole('button', { name: `${OLD} 모델로 되돌리기` }))
    expect(await screen.findByText('되돌림')).toBeVisible()
    expect(forced).toEqual([{ force: true }])
  })
})

describe('the guarantee of a succession', () => {
  const threshold = { score: 0.8, labels: 45, right: 44, bound: 0.91 }
  it.each([
    [{ threshold, stays_high: 0.75, more_labels: 0 }, /보장이 이어집니다. 라벨 45개 중 44개.*75%/],
    [{ threshold: null, stays_high: null, more_labels: 7 }, /보장이 꺼집니다. 맞다는 라벨이 7개/],
  ])('is said before the switch: %j', async (guarantee, told) => {
    server.use(
      http.get('/judges/successions', () => HttpResponse.json({ items: [succession], next: null })),
      http.get('/judges/successions/s1', () =>
        HttpResponse.json({ ...succession, summary: { ...summary, guarantee } }),
      ),
    )
    const { user } = renderApp('/settings')
    await user.click(await screen.findByText(`${OLD} → ${NEW}`, { exact: false }))
    expect(await screen.findByText(told)).toBeInTheDocument()
  })
})

describe('a paused judge', () => {
  it('is left to the operator by everybody else', async () => {
    const paused = {
      judge_model: 'openai:x',
      code: 'unknown',
      reason: 'r',
      paused_at: '2026-01-01',
    }
    server.use(
      who('read', 'write', 'admin'),
      http.get('/judges/paused', () => HttpResponse.json([{ ...paused, probe_at: '2026-01-01' }])),
    )
    renderApp('/settings')

    expect(await screen.findByText(/judges\/MODEL\/resume/)).toBeVisible()
    expect(screen.queryByRole('button', { name: /openai:x/ })).toBeNull()
  })
})

describe('sessions', () => {
  it('show who is logged in, and are ended after a question', async () => {
    let sessions = [
      token('mina@example.com', { subject: 'https://login.example mina' }),
      token('cli', { current: true }),
    ]
    server.use(
      tokens(
        () => [],
        () => sessions,
      ),
      http.delete('/tokens/:id', ({ params }) => {
        sessions = sessions.filter(({ id }) => id !== params.id)
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user } = renderApp('/settings')
    const row = await screen.findByRole('row', { name: /mina@example.com/ })
    expect(row).toHaveTextContent('회사 계정')
    await user.click(within(row).getByRole('button', { name: 'mina@example.com 세션 종료' }))
    const dialog = await screen.findByRole('dialog', { name: /종료할까요/ })
    await user.click(within(dialog).getByRole('button', { name: '종료' }))

    await waitFor(() => {
      expect(screen.queryByRole('row', { name: /mina@example.com/ })).toBeNull()
    })
    expect(screen.getByRole('row', { name: /cli/ })).toHaveTextContent('로그인 링크 또는 명령')
  })

  it('end by the button of the own card', async () => {
    server.use(http.post('/logout', () => new HttpResponse(null, { status: 204 })))
    const { user } = renderApp('/settings')
    await user.click(await screen.findByRole('button', { name: '로그아웃' }))

    expect(await screen.findByRole('heading', { name: '로그인이 필요합니다' })).toBeVisible()
  })
})

describe('tokens', () => {
  it('are made, shown once and copied', async () => {
    const items: Schema<'TokenRead'>[] = []
    let sent: unknown
    server.use(
      tokens(() => items),
      http.post('/tokens', async ({ request }) => {
        sent = await request.json()
        items.push(token('보고서'))
        return HttpResponse.json({ ...token('보고서'), token: 'sqa_secret' }, { status: 201 })
      }),
    )
    const { user } = renderApp('/settings')
    await user.click(await screen.findByRole('button', { name: '토큰 만들기' }))
    const dialog = await screen.findByRole('dialog', { name: '토큰 만들기' })
    const make = within(dialog).getByRole('button', { name: '만들기' })
    expect(make).toBeDisabled()
    await user.type(within(dialog).getByRole('textbox', { name: '이름' }), ' 보고서 ')
    await user.click(make)

    expect(await screen.findByDisplayValue('sqa_secret')).toBeVisible()
    expect(sent).toEqual({ name: '보고서', scopes: ['read', 'write'], expires_in_days: 90 })
    const write = vi.spyOn(navigator.clipboard, 'writeText')
    await user.click(screen.getByRole('button', { name: '복사' }))
    expect(await screen.findByText('복사했습니다.')).toBeVisible()
    expect(write).toHaveBeenCalledWith('sqa_secret')

    await user.keyboard('{Escape}')
    expect(screen.queryByDisplayValue('sqa_secret')).toBeNull()
    expect(await screen.findByRole('rowheader', { name: '보고서' })).toBeVisible()
  })

  it('connect an application, whose first answer shows its verdict', async () => {
    let answers: { id: string }[] = []
    server.use(
      http.post('/tokens', async ({ request }) => {
        expect(await request.json()).toMatchObject({ scopes: ['read', 'write'] })
        return HttpResponse.json({ ...token('my-app'), token: 'sqa_secret' }, { status: 201 })
      }),
      http.get('/qa-evaluations', ({ request }) => {
        const since = new URL(request.url).searchParams.get('since')
        expect(since).toBe(token('my-app').created_at)
        return HttpResponse.json({ items: answers, next: null })
      }),
      http.get('/qa-evaluations/e1', () =>
        HttpResponse.json(evaluation({ id: 'e1', status: 'succeeded', qa_evaluation: JUDGED })),
      ),
    )
    const { user } = renderApp('/connect')
    await user.click(await screen.findByRole('button', { name: '토큰을 만들어 채우기' }))
    expect(await screen.findByText('첫 답변을 기다리고 있습니다…')).toBeVisible()
    await user.click(screen.getByRole('tab', { name: 'curl' }))
    const text = screen.getByText(/curl -sS/)
    expect(text).toHaveTextContent(`${window.location.origin}/qa-evaluations`)
    expect(text).toHaveTextContent('Bearer sqa_secret')
    expect(text.textContent).not.toContain('{{')
    answers = [{ id: 'e1' }]
    const open = await screen.findByRole('link', { name: '평가 열기' }, { timeout: 4000 })
    expect(open).toHaveAttribute('href', '/evaluations/e1')
  })

  it('are rotated, and the new one is shown once', async () => {
    let sent: unknown
    server.use(
      tokens(() => [token('보고서')]),
      http.post('/tokens/:id/rotate', async ({ request }) => {
        sent = await request.json()
        return HttpResponse.json({ ...token('보고서'), token: 'sqa_new' }, { status: 201 })
      }),
    )
    const { user } = renderApp('/settings')
    await user.click(await screen.findByRole('button', { name: '보고서 토큰 교체' }))
    const dialog = await screen.findByRole('dialog', { name: '보고서 토큰 교체' })
    await user.selectOptions(within(dialog).getByRole('combobox'), '72시간')
    await user.click(within(dialog).getByRole('button', { name: '교체' }))

    expect(await screen.findByDisplayValue('sqa_new')).toBeVisible()
    expect(sent).toEqual({ overlap_hours: 72 })
  })

  it('are revoked after a question, the last admin after two', async () => {
    const asked: (string | null)[] = []
    let revoked = false
    server.use(
      tokens(() => [token('관리', revoked ? { state: 'revoked' } : {})]),
      http.delete('/tokens/:id', ({ request }) => {
        const meant = new URL(request.url).searchParams.get('even_last_admin')
        asked.push(meant)
        if (meant === null) return problem(409, 'last-admin-token', '마지막 토큰입니다.')
        revoked = true
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user } = renderApp('/settings')
    await user.click(await screen.findByRole('button', { name: '관리 폐기' }))
    const dialog = await screen.findByRole('dialog', { name: /폐기할까요/ })
    await user.click(within(dialog).getByRole('button', { name: '폐기' }))
    expect(await within(dialog).findByText('마지막 토큰입니다.')).toBeVisible()
    await user.click(within(dialog).getByRole('button', { name: '그래도 폐기' }))

    expect(await screen.findByText('폐기됨')).toBeVisible()
    expect(asked).toEqual([null, 'true'])
    expect(screen.queryByRole('button', { name: '관리 폐기' })).toBeNull()
  })
})

it('names the workspace and what may be done there, in either language', async () => {
  server.use(who('read'))
  const { user } = renderApp('/settings')
  expect(await screen.findByText('실험실')).toBeVisible()
  const main = screen.getByRole('main')
  await user.click(within(main).getByRole('button', { name: 'English' }))

  expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
})

describe('own criteria', () => {
  const tone: Schema<'CriterionVersion'> = {
    ...{ id: 'c1', name: 'tone', version: 2, reference: 'criterion:tone@2:model', kind: 'model' },
    ...{ question: '공손한가?', scale: ['무례함', '공손함'], pattern: null, json_schema: null },
    ...{ min_chars: null, max_chars: null, features: null, languages: ['ko'], note: '' },
    ...{ made_by: 'local', in_force: true, created_at: '', archived_at: null },
  }
  const kept = (sent: unknown[]) =>
    http.post('/criteria', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ ...tone, version: 3 }, { status: 201 })
    })

  it('shows what a rule looks for', async () => {
    const rule = { ...tone, name: 'short', kind: 'length', scale: [], max_chars: 500 }
    const code = { ...tone, id: 'c2', name: 'code', kind: 'regex', pattern: '\\d{4}' }
    server.use(http.get('/criteria', () => HttpResponse.json({ items: [rule, code], next: null })))
    renderApp('/settings')
    expect(await screen.findByText('0–500')).toBeVisible()
    expect(screen.getByText('\\d{4}')).toBeVisible()
  })

  it('adds an example at once, and offers none that is there', async () => {
    const example = { name: 'same_language', question: '같은 언어인가?', kind: 'model', scale: [] }
    const sent: unknown[] = []
    server.use(
      http.get('/criteria', () => HttpResponse.json({ items: [tone], next: null })),
      http.get('/criteria/examples', () =>
        HttpResponse.json([{ ...example, name: 'tone' }, example]),
      ),
      kept(sent),
    )
    const { user } = renderApp('/settings')

    await user.click(await screen.findByRole('button', { name: '예시 기준 same_language 추가' }))
    expect(screen.queryByRole('button', { name: '예시 기준 tone 추가' })).toBeNull()
    expect(await screen.findByText('tone 기준을 저장했습니다(버전 3).')).toBeVisible()
    expect(sent).toEqual([{ ...example, note: '' }])
  })

  it('is edited as the next version of its name', async () => {
    const sent: unknown[] = []
    server.use(
      http.get('/criteria', () => HttpResponse.json({ items: [tone], next: null })),
      kept(sent),
    )
    const { user } = renderApp('/settings')

    expect(await screen.findByText('무례함 < 공손함')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'tone 기준 수정' }))
    const form = within(screen.getByRole('dialog'))
    expect(form.getByRole('textbox', { name: '이름' })).toHaveAttribute('readonly')
    await user.selectOptions(form.getByRole('combobox', { name: '평가 방법' }), 'regex')
    expect(form.getByRole('button', { name: '저장' })).toBeDisabled()
    await user.type(form.getByRole('textbox', { name: '정규식' }), '습니다')
    await user.click(form.getByRole('button', { name: '저장' }))

    expect(await screen.findByText('tone 기준을 저장했습니다(버전 3).')).toBeVisible()
    expect(sent).toEqual([
      {
        ...{ name: 'tone', kind: 'regex', question: '공손한가?', note: '', pattern: '습니다' },
        ...{ scale: ['무례함', '공손함'], json_schema: null, min_chars: null, max_chars: null },
        ...{ features: null, languages: ['ko'] },
      },
    ])
  })
})
