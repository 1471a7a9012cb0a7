import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

const FAILURE = {
  ...{ id: 'f1', name: '환불 기한 · 30일', fault: 'contradicted', note_id: 'n1' },
  ...{ note_title: '환불 규정', note_deleted: false, state: 'open', owner: null },
  ...{ mended_in: '1.4.2', mended_at: null, reopened_in: '1.4.3', reopened_at: '2026-06-02' },
  ...{ answers: 12, share: 0.031, releases: ['1.4.1', '1.4.3'], example: 'e1' },
  ...{ first_seen_at: '2026-06-01T00:00:00Z', last_seen_at: '2026-06-03T00:00:00Z' },
  ...{ created_at: '2026-06-01T00:00:00Z', updated_at: '2026-06-01T00:00:00Z' },
}
const MENDED = {
  ...{ ...FAILURE, id: 'f2', name: '배송', state: 'mended', note_deleted: true, owner: 'kim' },
  ...{ reopened_at: null, releases: [] },
}
const example = {
  ...{ evaluation_id: 'e1', answered_at: '2026-06-03T00:00:00Z', question: '언제까지 환불되나요?' },
  ...{ claim: '환불 기한은 30일입니다.', reasoning: '노트는 14일', app_version: '1.4.3' },
}
const release = { app_version: null, answers: 5, first_seen_at: '', last_seen_at: '2026-06-03' }
const DETAIL = { ...FAILURE, examples: [example], seen_in: [release] }

let asked: URLSearchParams
beforeAll(() => Promise.all([import('./FailuresPage'), import('./FailurePage')]))
beforeEach(() => {
  server.use(
    http.get('/analytics/:name', () => HttpResponse.json({ columns: [], rows: [] })),
    http.get('/notebooks', () => HttpResponse.json([])),
    http.get('/failures', ({ request }) => {
      asked = new URL(request.url).searchParams
      return HttpResponse.json({ items: [FAILURE, MENDED], next: null, dropped: 7 })
    }),
    http.get('/failures/f1', () => HttpResponse.json(DETAIL)),
  )
})

it('lists groups with their state, and what is in none', async () => {
  const { user } = renderApp('/failures?since=2026-06-01&until=2026-06-05')
  const table = await screen.findByRole('table', { name: '반복되는 오류' })
  const [, open, mended] = within(table).getAllByRole('row')
  expect(open).toHaveTextContent(/환불 기한 · 30일노트와 다름환불 규정123.1%/)
  expect(open).toHaveTextContent('1.4.3에서 다시 나타남')
  expect(mended).toHaveTextContent(/환불 규정\(삭제된 노트\).*1.4.2에서 고침kim/)
  expect(screen.getByText(/답변 7개는 어느 묶음에도/)).toBeVisible()
  expect([asked.get('since'), asked.get('state')]).toEqual(['2026-06-01', null])

  await user.click(screen.getByRole('checkbox', { name: '한 번만 나타난 것도 보기' }))
  await user.selectOptions(screen.getByLabelText('상태'), '고침')
  await expect.poll(() => [asked.get('state'), asked.get('min_answers')]).toEqual(['mended', '1'])
})

it('shows examples, and gives a group an owner and a state', async () => {
  const sent: unknown[] = []
  server.use(
    http.patch('/failures/f1', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(DETAIL)
    }),
    http.get('/failures/f1', () =>
      HttpResponse.json({ ...DETAIL, owner: sent.length > 0 ? 'kim' : null }),
    ),
  )
  const { user } = renderApp('/failures/f1')
  const link = await screen.findByRole('link', { name: '언제까지 환불되나요?' })
  expect(link).toHaveAttribute('href', '/evaluations/e1')
  expect(screen.getByText(/노트는 14일 · 1.4.3/)).toBeVisible()
  expect(screen.getByText('릴리스 없음')).toBeVisible()
  const all = screen.getByRole('link', { name: '모든 답변 보기' })
  expect(all).toHaveAttribute('href', '/evaluations?failure_id=f1&current=true')

  await user.type(screen.getByLabelText('담당자'), ' kim {Enter}')
  await user.type(screen.getByLabelText('고친 릴리스'), '1.4.4{Enter}')
  await user.click(screen.getByRole('button', { name: '무시' }))
  await expect
    .poll(() => sent)
    .toEqual([{ owner: 'kim' }, { state: 'mended', mended_in: '1.4.4' }, { state: 'ignored' }])
  expect(await screen.findByText('저장했습니다')).toBeVisible()
})
