import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

import type { SavedView } from './api/views'
import { row } from './testing'

const POOR: SavedView = {
  id: 'v-1',
  name: '낮은 점수',
  filters: { confidence: 'low', since: '2026-06-01' },
  order: 'worst',
  columns: ['status', 'cost'],
  author: 'mina',
  created_at: '2026-06-01T00:00:00Z',
  updated_at: '2026-06-01T00:00:00Z',
}

const SAID = {
  app_version: '1.4.2',
  criteria: {
    tone: { version: 1, value: 0.5, label: '공손함' },
    short: { version: 1, value: 1, label: null },
    polite: { version: 1, value: null, label: null },
  },
}

let views: SavedView[] = []
let asked: URLSearchParams[] = []
let sent: unknown[] = []

beforeAll(async () => {
  await import('./EvaluationsPage')
})
beforeEach(() => {
  localStorage.clear()
  views = [POOR]
  asked = []
  sent = []
  server.use(
    http.get('/qa-evaluations', ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json({ items: [row('1', { cost_usd: 0.002, ...SAID })], next: null })
    }),
    http.get('/qa-evaluations/events', () => new HttpResponse(null, { status: 204 })),
    http.get('/qa-evaluations/ids', () =>
      HttpResponse.json({ ids: [], matching: 1234, more: false }),
    ),
    http.get('/notebooks', () => HttpResponse.json([])),
    http.get('/evaluation-views', () => HttpResponse.json({ items: views, next: null })),
  )
})

const choice = () => screen.getByRole('combobox', { name: '저장된 보기' })
const columns = () => screen.getAllByRole('columnheader').map((each) => each.textContent)
const address = (search: string) => Object.fromEntries(new URLSearchParams(search))
const SHOWN = {
  view: 'v-1',
  // A view that does not say so shows replaced verdicts too.
  current: 'all',
  confidence: 'low',
  since: '2026-06-01',
  order: 'worst',
  columns: 'status,cost',
}

describe('a saved view', () => {
  it('shows the release and the scores by own criteria where that is chosen', async () => {
    renderApp('/evaluations?columns=app_version,environment,criteria')
    const cells = await screen.findAllByRole('cell')
    expect(columns().slice(2)).toEqual(['릴리스', '환경', '자체 기준'])
    expect(cells.slice(-3).map((each) => each.textContent)).toEqual([
      ...['1.4.2', '–', 'tone: 공손함 · short: 100% · polite: –'],
    ])
  })

  it('opens by its link with filters, order and columns, and nothing else is asked for', async () => {
    const { router } = renderApp('/evaluations?view=v-1')
    expect(await screen.findByText(/^mina 님이 만듦/)).toBeVisible()
    await screen.findByRole('link', { name: '질문 1' })

    expect(address(router.state.location.search)).toEqual(SHOWN)
    expect(choice()).toHaveDisplayValue('낮은 점수')
    expect(columns()).toEqual(['', '평가', '질문', '비용'])
    expect(screen.getByRole('cell', { name: 'US$0.002' })).toBeVisible()
    expect(asked).toHaveLength(1)
    expect(asked[0]?.get('confidence')).toBe('low')
    expect(screen.queryByText('저장하지 않은 변경')).toBeNull()
  })

  it('keeps what is changed since, offers to save it, and saves it for everybody', async () => {
    server.use(
      http.patch('/evaluation-views/v-1', async ({ request }) => {
        const body = (await request.json()) as Partial<SavedView>
        sent.push(body)
        views = [{ ...POOR, ...body }]
        return HttpResponse.json(views[0])
      }),
    )
    const { user, router } = renderApp('/evaluations?view=v-1')
    await screen.findByRole('link', { name: '질문 1' })
    await user.click(await screen.findByRole('button', { name: '모두 지우기' }))
    expect(await screen.findByText('저장하지 않은 변경')).toBeVisible()
    await user.click(screen.getByRole('button', { name: '열 고르기와 내보내기' }))
    await user.click(screen.getByRole('checkbox', { name: '비용' }))
    expect(address(router.state.location.search)).toEqual({
      view: 'v-1',
      order: 'worst',
      columns: 'status',
    })

    await user.click(screen.getByRole('button', { name: '변경 내용 저장' }))
    await waitFor(() => {
      expect(screen.queryByText('저장하지 않은 변경')).toBeNull()
    })
    expect(sent).toEqual([{ filters: { current: 'true' }, order: 'worst', columns: ['status'] }])
  })

  it('of another release opens without what is not known here, and says what that is', async () => {
    views = [
      {
        ...POOR,
        filters: { confidence: 'low', mood: 'sad', status: 'lost' },
        order: 'loudest',
        columns: ['status', 'mood'],
      },
    ]
    const { router } = renderApp('/evaluations?view=v-1')
    const note = await screen.findByText(/이 버전에서 알 수 없는/)
    expect(note).toHaveTextContent('mood=sad, status=lost, order=loudest, mood')
    expect(address(router.state.location.search)).toEqual({
      view: 'v-1',
      current: 'all',
      confidence: 'low',
      columns: 'status',
    })
    expect(screen.queryByText('저장하지 않은 변경')).toBeNull()
  })

  it('that is gone is said to be, and the list is there', async () => {
    views = []
    const { user, router } = renderApp('/evaluations?view=v-1')
    expect(await screen.findByText(/이 보기는 없습니다/)).toBeVisible()
    expect(await screen.findByRole('link', { name: '질문 1' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: '보기 없이 계속' }))
    expect(router.state.location.search).toBe('')
  })

  it('is made of what the list shows, and refused where its name is taken', async () => {
    server.use(
      http.post('/evaluation-views', async ({ request }) => {
        const body = (await request.json()) as SavedView
        sent.push(body)
        if (body.name === POOR.name) {
          const detail = '‘낮은 점수’ 보기가 이미 있습니다.'
          const problem = {
            type: 'urn:searchqa:problem:name-taken',
            title: 'Conflict',
            status: 409,
          }
          return HttpResponse.json({ ...problem, detail }, { status: 409 })
        }
        const view = { ...POOR, ...body, id: 'v-2' }
        views = [POOR, view]
        return HttpResponse.json(view, { status: 201 })
      }),
    )
    const { user, router } = renderApp('/evaluations?status=failed')
    await screen.findByRole('link', { name: '질문 1' })
    await user.click(screen.getByRole('button', { name: '새 보기로 저장' }))
    const dialog = screen.getByRole('dialog', { name: '보기 저장' })
    const save = within(dialog).getByRole('button', { name: '저장' })
    expect(save).toBeDisabled()
    await user.type(within(dialog).getByRole('textbox', { name: '이름' }), '낮은 점수{Enter}')
    expect(await within(dialog).findByText(/이미 있습니다/)).toBeVisible()

    await user.type(within(dialog).getByRole('textbox', { name: '이름' }), ' 2')
    await user.click(save)
    await waitFor(() => {
      expect(choice()).toHaveDisplayValue('낮은 점수 2')
    })
    expect(sent.at(-1)).toEqual({
      name: '낮은 점수 2',
      filters: { status: 'failed', current: 'true' },
      order: 'newest',
      columns: null,
      author: null,
    })
    expect(address(router.state.location.search)).toEqual({
      view: 'v-2',
      status: 'failed',
      current: 'true',
    })
  })

  it('is shared by its link, renamed and deleted', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    server.use(
      http.patch('/evaluation-views/v-1', async ({ request }) => {
        views = [{ ...POOR, ...((await request.json()) as object) }]
        return HttpResponse.json(views[0])
      }),
      http.delete('/evaluation-views/v-1', () => {
        views = []
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user, router } = renderApp('/evaluations?view=v-1')
    await user.click(await screen.findByRole('button', { name: '링크 복사' }))
    expect(write.mock.lastCall?.[0]).toMatch(/\/evaluations\?view=v-1$/)

    await user.click(screen.getByRole('button', { name: '이름 변경' }))
    const name = screen.getByRole('textbox', { name: '이름' })
    await user.clear(name)
    await user.type(name, '다시 볼 것{Enter}')
    await waitFor(() => {
      expect(choice()).toHaveDisplayValue('다시 볼 것')
    })

    await user.click(screen.getByRole('button', { name: '삭제' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: '삭제' }))
    await waitFor(() => {
      expect(router.state.location.search).toBe('')
    })
    expect(screen.queryByRole('combobox', { name: '저장된 보기' })).toBeNull()
  })
})

it('remembers columns outside of views in this browser', async () => {
  const first = renderApp('/evaluations')
  await screen.findByRole('link', { name: '질문 1' })
  await first.user.click(screen.getByRole('button', { name: '열 고르기와 내보내기' }))
  await first.user.click(screen.getByRole('checkbox', { name: '비용' }))
  const chosen = ['', '평가', '질문', '답변 모델', '릴리스', '노트', '시각', '비용']
  expect(columns()).toEqual(chosen)
  expect(first.router.state.location.search).toBe('')
  first.unmount()

  const { user } = renderApp('/evaluations')
  await screen.findByRole('link', { name: '질문 1' })
  expect(columns()).toEqual(chosen)
  await user.click(screen.getByRole('button', { name: '열 고르기와 내보내기' }))
  await user.click(screen.getByRole('button', { name: '기본 열로' }))
  expect(columns()).toEqual(chosen.slice(0, -1))
})
