import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'

import { changeLanguage } from '@/lib/language'
import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

import type { System } from './api/system'
import { age, size } from './format'

const WELL: System = {
  condition: 'ok',
  problems: [],
  queues: [],
  processes: [],
  database_bytes: 42_000_000,
  tables: [
    {
      name: 'qa_answers',
      total_bytes: 9_000_000,
      index_bytes: 2_000,
      estimated_rows: 1200,
      parts: 3,
    },
  ],
  versions: { release: '1.2.3', schema_revision: '0054', postgresql: '17.2', redis: null },
}

const who = (...scopes: string[]) =>
  http.get('/whoami', () => HttpResponse.json({ workspace: '실험실', token: 'local', scopes }))
const system = (change: Partial<System> = {}) =>
  http.get('/system', () => HttpResponse.json({ ...WELL, ...change }))
const late = http.get('/system/health', () =>
  HttpResponse.json({ condition: 'stuck', delayed: true, waiting: 3, stranded: 1 }),
)

beforeEach(() => {
  server.use(
    who('read', 'operator'),
    system(),
    http.get('/judges/paused', () => HttpResponse.json([])),
    http.get('/judges/limits', () => HttpResponse.json([])),
  )
})

describe('the page', () => {
  it('says that all is well, and what is empty', async () => {
    renderApp('/system')
    expect(await screen.findByText('모두 정상입니다')).toBeVisible()
    expect(screen.getByText(/보고하는 프로세스가 없습니다/)).toBeVisible()
    expect(screen.getByText('qa_answers (파티션 3개)')).toBeVisible()
    expect(screen.getByText('연결할 수 없음')).toBeVisible()
  })

  it('names what is wrong, how much waits, and who has died', async () => {
    const problem = { condition: 'stuck', queue: 'live', judge_model: 'openai:x' } as const
    const backlog = { queue: 'live', judge_model: 'openai:x', due: 40, paused: null } as const
    const worker = { kind: 'worker', hostname: 'qa-2', pid: 7, release: '1.2.3' } as const
    server.use(
      system({
        condition: 'stuck',
        problems: [{ ...problem, due: 40, oldest_seconds: 300 }],
        queues: [{ ...backlog, oldest_seconds: 300, running: 3, expired: 1 }],
        processes: [
          {
            ...{ ...worker, queues: ['live'], started_at: '2026-01-01T00:00:00Z', lives: false },
            ...{ seen_seconds: 80, in_flight: 0, claim_seconds: 90, tick_seconds: null },
          },
        ],
      }),
    )
    renderApp('/system')
    const problems = await screen.findByRole('list', { name: '문제' })
    expect(within(problems).getByText('대기열이 멈췄습니다')).toBeVisible()
    expect(within(problems).getByText(/openai:x · 평가 40개가 기다립니다.*5분/)).toBeVisible()
    expect(screen.getByText('80초 전부터 보고 없음')).toBeVisible()
    expect(screen.getByText('qa-2 (7)')).toBeVisible()
  })

  it.each([
    ['not_owner', /테이블 소유자만.*searchqa vectors index를 실행하세요/],
    [null, /워커가 몇 분 안에 만듭니다/],
  ] as const)(
    'says what to do for large workspaces without an index (%s)',
    async (obstacle, text) => {
      const problem = { condition: 'unindexed', queue: null, judge_model: null } as const
      const nothing = { due: 0, oldest_seconds: null }
      const problems = [{ ...problem, ...nothing, workspaces: 2, obstacle }]
      server.use(system({ condition: 'unindexed', problems }))
      renderApp('/system')
      const list = await screen.findByRole('list', { name: '문제' })
      expect(within(list).getByText('워크스페이스 2개')).toBeVisible()
      expect(within(list).getByText(text)).toBeVisible()
    },
  )

  it('names a model that ends, its last day and how many workspaces name it', async () => {
    const about = { queue: null, judge_model: 'openai:x', due: 0, oldest_seconds: null } as const
    const problem = { ...about, condition: 'model_ending', ends_on: '2027-01-14' } as const
    server.use(system({ condition: 'model_ending', problems: [{ ...problem, workspaces: 2 }] }))
    renderApp('/system')
    const shown = 'openai:x · 마지막 날 2027-01-14 · 워크스페이스 2개'
    expect(await screen.findByText(shown)).toBeVisible()
  })

  it('says who may see it', async () => {
    const detail = '운영자 토큰이 필요합니다.'
    server.use(
      http.get('/system', () =>
        HttpResponse.json(
          { type: 'urn:searchqa:problem:forbidden', title: '', status: 403, detail },
          { status: 403 },
        ),
      ),
    )
    renderApp('/system')
    expect(await screen.findByRole('alert')).toHaveTextContent(detail)
  })
})

describe('the banner', () => {
  it('leads operators to the reason', async () => {
    server.use(late)
    renderApp('/nowhere')
    expect(await screen.findByText('평가가 늦어지고 있습니다.')).toBeVisible()
    const link = await screen.findByRole('link', { name: '원인 보기' })
    expect(link).toHaveAttribute('href', '/system')
    const menu = screen.getByRole('navigation', { name: '주 메뉴', hidden: true })
    expect(within(menu).getByRole('link', { name: '시스템', hidden: true })).toBeInTheDocument()
  })

  it('shows readers no internals', async () => {
    server.use(late, who('read', 'write'))
    renderApp('/nowhere')
    expect(await screen.findByText('평가가 늦어지고 있습니다.')).toBeVisible()
    expect(screen.queryByRole('link', { name: '원인 보기' })).toBeNull()
    expect(screen.queryByRole('link', { name: '시스템', hidden: true })).toBeNull()
  })

  it('gives what waits for a judge that nobody uses to the judge of the policy', async () => {
    server.use(
      late,
      who('read', 'write'),
      http.post('/evaluation/rejudge/stranded', () =>
        HttpResponse.json({ judge_model: 'openai:x', answers: 1 }),
      ),
    )
    renderApp('/nowhere')
    const banner = await screen.findByText('평가가 늦어지고 있습니다.')
    expect(banner.parentElement).toHaveTextContent(
      /답변 2개가 평가를 기다립니다.*답변 1개가 더는 쓰지 않는 평가 모델을 기다립니다/,
    )
    await userEvent.click(screen.getByRole('button', { name: '현재 정책으로 평가하기' }))
    expect(await screen.findByText('이제 openai:x 모델이 답변 1개를 평가합니다.')).toBeVisible()
  })
})

describe('figures', () => {
  it.each([
    [null, '–'],
    [12.4, '12초'],
    [300, '5분 0초'],
    [7_260, '2시간 1분'],
  ])('%s seconds are %s', (seconds, shown) => {
    expect(age(seconds)).toBe(shown)
  })

  it.each([
    [0, '0 byte'],
    [8_192, '8 kB'],
    [42_500_000, '42.5 MB'],
    [3_000_000_000_000_000, '3,000 TB'],
  ])('%s bytes are %s', async (bytes, shown) => {
    await changeLanguage('en')
    expect(size(bytes)).toBe(shown)
  })
})
