import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

import { row } from './testing'

const dataset = (name: string, kind: string) => ({
  id: `d-${name}`,
  name,
  version: 1,
  notebook_id: null,
  origin: { kind },
  cases: 1,
  created_at: '2026-01-01T00:00:00Z',
  review: null,
})
const label = (changes: object) => ({
  id: 'f1',
  evaluation_id: '1',
  answer_id: 'a-1',
  claim_position: null,
  label: 'wrong',
  utility_label: null,
  comment: '30일입니다.',
  author: 'kim',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  ...changes,
})
const added = (was: boolean) => ({
  added: was,
  dataset_id: 'd-회귀',
  dataset_name: '회귀',
  dataset_version: 2,
  test_case: {},
})

let datasets: object[] = []
let sent: unknown[] = []

beforeAll(() => import('./EvaluationsPage'), 60_000)
beforeEach(() => {
  localStorage.clear()
  sent = []
  datasets = [dataset('lab', 'imported'), dataset('회귀', 'answers')]
  server.use(
    http.get('/qa-evaluations', () => HttpResponse.json({ items: [row('1')], next: null })),
    http.get('/qa-evaluations/events', () => new HttpResponse(null, { status: 204 })),
    http.get('/qa-evaluations/ids', () =>
      HttpResponse.json({ ids: [], matching: 1234, more: false }),
    ),
    http.get('/qa-evaluations/1/feedback', () =>
      HttpResponse.json([
        label({ label: 'right', comment: '좋습니다.', updated_at: '2026-01-03T00:00:00Z' }),
        label({ comment: '14일입니다.' }),
        label({ updated_at: '2026-01-02T00:00:00Z' }),
      ]),
    ),
    http.get('/notebooks', () => HttpResponse.json([])),
    http.get('/evaluation-views', () => HttpResponse.json({ items: [], next: null })),
    http.get('/evaluation/datasets', () => HttpResponse.json({ items: datasets, next: null })),
  )
})

const answering = (status: number, body: object) =>
  server.use(
    http.post('/evaluation/datasets/from-answer', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(body, { status })
    }),
  )

/** The dialog that `t` opens for the first row. */
async function opened() {
  const { user } = renderApp('/evaluations')
  await screen.findByRole('link', { name: '질문 1' })
  await user.keyboard('jt')
  await screen.findByRole('combobox', { name: '데이터셋' })
  return user
}

it('takes t and Enter, with the dataset and what the last label says of the answer', async () => {
  answering(201, added(true))
  const user = await opened()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toEqual([
    { evaluation_id: '1', name: '회귀', expects_refusal: false, reference_answer: '30일입니다.' },
  ])
  expect(await screen.findByText('회귀 v2에 넣었습니다')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('link', { name: '질문 1' })).toHaveFocus())
})

it('remembers the dataset, takes a new one, and expects a refusal', async () => {
  localStorage.setItem('searchqa.dataset', 'lab')
  answering(201, added(true))
  const user = await opened()
  const into = screen.getByRole('combobox', { name: '데이터셋' })
  expect(into).toHaveValue('lab')
  await user.selectOptions(into, '새 데이터셋…')
  await user.type(screen.getByRole('textbox', { name: '새 데이터셋의 이름' }), '거절')
  await user.click(screen.getByRole('checkbox', { name: /^노트에 답이 없음/ }))
  await user.click(screen.getByRole('button', { name: '넣기' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent).toEqual([{ evaluation_id: '1', name: '거절', expects_refusal: true }])
})

it('links to the dataset that has the case, and says why an answer cannot be added', async () => {
  answering(200, added(false))
  const user = await opened()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('link', { name: '회귀 v2' })).toHaveAttribute(
    'href',
    '/datasets/d-회귀',
  )
  await user.keyboard('{Escape}')
  answering(409, {
    type: 'x',
    title: 'Conflict',
    status: 409,
    detail: '평가가 아직 끝나지 않았습니다.',
  })
  await user.keyboard('t')
  await screen.findByRole('combobox', { name: '데이터셋' })
  await user.keyboard('{Enter}')
  expect(await screen.findByText('평가가 아직 끝나지 않았습니다.')).toBeVisible()
})
