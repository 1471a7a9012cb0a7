import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'

import { evaluation } from '@/testing/evaluation'
import { noFeedback } from '@/testing/feedback'
import { liveStream } from '@/testing/liveStream'
import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

import type { Conversation } from './conversations'

const FIRST = '00000000-0000-4000-8000-000000000001'
const EVALUATION = evaluation({ status: 'succeeded', answer: '95도입니다' })

const conversation = (changes: Partial<Conversation> = {}): Conversation => ({
  id: FIRST,
  title: 'PCR 변성 온도는?',
  named: false,
  answers: 1,
  created_at: '2026-01-31T00:00:00Z',
  last_asked_at: '2026-01-31T00:00:00Z',
  ...changes,
})
const answer = (id: string, question: string) => ({
  id,
  question,
  standalone_question: null as string | null,
  answer: '95도입니다',
  lang: 'ko',
  feature: 'search_qa',
  notebook_id: null,
  matched_notes: [{ note_index: 1, note_id: null, title: 'PCR 조건', score: 2 }],
  evaluation_id: EVALUATION.id,
  status: 'succeeded',
  reason: null,
  error: null,
  created_at: '2026-01-31T00:00:00Z',
})

/** Serves conversations as the API does; those of others are not there. */
function conversations(first: Conversation[], answers = [answer('a1', 'PCR 변성 온도는?')]) {
  const served = { items: first, sent: [] as unknown[], searched: [] as (string | null)[] }
  const missing = () => HttpResponse.json({ status: 404 }, { status: 404 })
  const has = (id: unknown) => served.items.some((item) => item.id === id)
  server.use(
    http.get('/notebooks', () =>
      HttpResponse.json([{ id: 'b1', name: '실험실', notes: 1, created_at: '' }]),
    ),
    http.get('/conversations', ({ request }) => {
      served.searched.push(new URL(request.url).searchParams.get('containing'))
      return HttpResponse.json({ items: served.items, next: null })
    }),
    http.get('/conversations/:id', ({ params }) =>
      has(params.id) ? HttpResponse.json(served.items[0]) : missing(),
    ),
    http.get('/conversations/:id/answers', ({ params }) =>
      has(params.id) ? HttpResponse.json({ items: answers, next: null }) : missing(),
    ),
    http.patch('/conversations/:id', async ({ request }) => {
      const body = (await request.json()) as { title: string }
      served.sent.push(body)
      served.items = served.items.map((item) => ({ ...item, title: body.title }))
      return HttpResponse.json(served.items[0])
    }),
    http.delete('/conversations/:id', ({ request }) => {
      served.sent.push(new URL(request.url).searchParams.get('with_answers'))
      served.items = []
      return new HttpResponse(null, { status: 204 })
    }),
    http.get(`/qa-evaluations/${EVALUATION.id}`, () => HttpResponse.json(EVALUATION)),
  )
  return served
}

beforeEach(() => {
  sessionStorage.clear()
  server.use(...noFeedback)
})

describe('a conversation', () => {
  it('gets an address with its first question, and the focus stays in the composer', async () => {
    conversations([])
    const asked: { options: { conversation_id: string } }[] = []
    const stream = liveStream()
    server.use(
      http.post('/ai/stream', async ({ request }) => {
        asked.push((await request.json()) as (typeof asked)[0])
        return stream.response
      }),
    )
    const { user, router } = renderApp('/')
    const composer = await screen.findByRole('textbox', { name: '질문' })

    await user.type(composer, '변성 온도는?{Enter}')
    await waitFor(() => {
      expect(router.state.location.pathname).toMatch(/^\/c\/[0-9a-f-]{36}$/)
    })
    const id = router.state.location.pathname.slice('/c/'.length)
    expect(asked[0]?.options.conversation_id).toBe(id)
    expect(composer).toHaveFocus()
    expect(await screen.findByRole('heading', { name: '변성 온도는?' })).toBeVisible()

    await user.click(await screen.findByRole('link', { name: '새 대화' }))
    expect(await screen.findByText('아직 질문이 없습니다')).toBeVisible()
    expect(router.state.location.pathname).toBe('/')
  })

  it('is shown with its answers by its address', async () => {
    const followUp = { ...answer('a2', '시간은?'), standalone_question: 'PCR 변성 시간은?' }
    const pair = [followUp, answer('a1', 'PCR 변성 온도는?')]
    conversations([conversation({ answers: 2 })], pair)
    renderApp(`/c/${FIRST}`)

    expect(await screen.findByRole('heading', { level: 1, name: 'PCR 변성 온도는?' })).toBeVisible()
    const chat = await screen.findByRole('region', { name: '대화' })
    const questions = within(chat).getAllByRole('heading', { level: 2 })
    expect(questions.map(({ textContent }) => textContent)).toEqual(['PCR 변성 온도는?', '시간은?'])
    expect(within(chat).getByText('앞선 대화로 이해한 질문: PCR 변성 시간은?')).toBeVisible()
    expect(await screen.findAllByText('95도입니다')).toHaveLength(2)
    expect(await screen.findAllByRole('button', { name: '맞는 답변' })).toHaveLength(2)
    const list = screen.getByRole('navigation', { name: '내 대화', hidden: true })
    expect(within(list).getByRole('link', { hidden: true })).toHaveAttribute('aria-current', 'page')
  })

  it.each([FIRST, 'nonsense'])('of somebody else is like a missing one: %s', async (id) => {
    conversations([])
    renderApp(`/c/${id}`)
    expect(await screen.findByText('이 대화를 열 수 없습니다')).toBeVisible()
    expect(screen.queryByRole('textbox', { name: '질문' })).toBeNull()
  })
})

describe('the list', () => {
  const list = async () => {
    const found = await screen.findByRole('navigation', { name: '내 대화', hidden: true })
    return within(found)
  }

  it('renames a conversation', async () => {
    const served = conversations([conversation()])
    const { user } = renderApp('/')
    const rename = { name: '이름 바꾸기: PCR 변성 온도는?', hidden: true }
    await user.click(await (await list()).findByRole('button', rename))
    const name = await screen.findByLabelText('대화 이름')
    await user.clear(name)
    await user.type(name, 'PCR{Enter}')

    expect(await (await list()).findByText('PCR')).toBeInTheDocument()
    expect(served.sent).toEqual([{ title: 'PCR' }])
  })

  it.each([
    [false, 'false'],
    [true, 'true'],
  ])('deletes the open conversation, its answers too: %s', async (too, sent) => {
    const served = conversations([conversation({ answers: 3 })])
    const { user, router } = renderApp(`/c/${FIRST}`)
    await screen.findByText('95도입니다')
    const remove = { name: '삭제: PCR 변성 온도는?', hidden: true }
    await user.click(await (await list()).findByRole('button', remove))
    if (too) await user.click(screen.getByLabelText(/답변 3개와 그 평가도 삭제/))
    await user.click(await screen.findByRole('button', { name: '대화 삭제' }))

    await waitFor(() => {
      expect(router.state.location.pathname).toBe('/')
    })
    expect(served.sent).toEqual([sent])
    expect(await (await list()).findByText(/아직 대화가 없습니다/)).toBeInTheDocument()
  })

  it('is searched when it is long', async () => {
    const many = Array.from({ length: 9 }, (_, at) =>
      conversation({ id: `${FIRST.slice(0, -1)}${at}`, title: `질문 ${at}` }),
    )
    const served = conversations(many)
    const { user } = renderApp('/')
    const search = { name: '대화 검색', hidden: true }
    await user.type(await (await list()).findByRole('searchbox', search), 'PCR')

    await waitFor(() => {
      expect(served.searched.at(-1)).toBe('PCR')
    })
  })
})
