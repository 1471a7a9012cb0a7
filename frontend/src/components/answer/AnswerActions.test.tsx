import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it, vi } from 'vitest'

import type { Feedback } from '@/hooks/useFeedback'
import { WHO } from '@/testing/feedback'
import { renderInApp } from '@/testing/render'
import { server } from '@/testing/server'

import { AnswerActions } from './AnswerActions'

const OTHERS: Feedback = {
  id: 'f0',
  evaluation_id: 'e1',
  answer_id: 'a1',
  claim_position: null,
  label: 'wrong',
  utility_label: null,
  comment: '남의 말',
  author: 'jisu',
  created_at: '2026-01-31T00:00:00Z',
  updated_at: '2026-01-31T00:00:00Z',
}
const MINE: Feedback = { ...OTHERS, id: 'f1', label: 'right', comment: null, author: WHO.token }

/** Keeps what is said as the API does, one label for each author. */
function labels(said: Feedback[], scopes = WHO.scopes) {
  const served = { said, sent: [] as unknown[] }
  server.use(
    http.get('/whoami', () => HttpResponse.json({ ...WHO, scopes })),
    http.get('/qa-evaluations/e1/feedback', () => HttpResponse.json(served.said)),
    http.post('/qa-evaluations/e1/feedback', async ({ request }) => {
      const body = (await request.json()) as Partial<Feedback>
      served.sent.push(body)
      const stored = { ...MINE, ...body }
      served.said = [...served.said.filter(({ author }) => author !== WHO.token), stored]
      return HttpResponse.json(stored)
    }),
    http.delete('/qa-evaluations/e1/feedback/f1', () => {
      served.said = served.said.filter(({ id }) => id !== 'f1')
      return new HttpResponse(null, { status: 204 })
    }),
  )
  return served
}

const show = () => renderInApp(<AnswerActions evaluationId="e1" />)
const thumb = (name: string) => screen.findByRole('button', { name })

it('says that the answer is wrong, with a sentence, and takes it back', async () => {
  const served = labels([OTHERS])
  const { user } = show()
  const down = await thumb('틀린 답변')
  // What somebody else says is not the reader's.
  expect(down).toHaveAttribute('aria-pressed', 'false')

  await user.click(down)
  await user.type(await screen.findByLabelText('무엇이 틀렸나요? (선택)'), '온도가 다릅니다')
  await user.click(screen.getByRole('button', { name: '저장' }))

  expect(await screen.findByText('온도가 다릅니다')).toBeVisible()
  expect(await thumb('틀린 답변')).toHaveAttribute('aria-pressed', 'true')
  expect(served.sent.at(-1)).toEqual({
    label: 'wrong',
    utility_label: null,
    comment: '온도가 다릅니다',
  })

  await user.click(await thumb('틀린 답변'))
  await waitFor(() => {
    expect(served.said).toEqual([OTHERS])
  })
  expect(await thumb('틀린 답변')).toHaveAttribute('aria-pressed', 'false')
  expect(screen.queryByText('온도가 다릅니다')).toBeNull()
})

it('changes the thumb and keeps what else was said', async () => {
  const served = labels([{ ...MINE, utility_label: 'useful', comment: '좋아요' }])
  const { user } = show()
  expect(await thumb('맞는 답변')).toHaveAttribute('aria-pressed', 'true')

  await user.click(await thumb('틀린 답변'))

  await waitFor(() => {
    expect(served.sent).toEqual([{ label: 'wrong', utility_label: 'useful', comment: '좋아요' }])
  })
})

it('offers no thumb to who may only read', async () => {
  labels([MINE], ['read'])
  show()
  expect(screen.getByRole('link', { name: '평가 보기' })).toHaveAttribute('href', '/evaluations/e1')
  await new Promise((resolve) => setTimeout(resolve))
  expect(screen.queryByRole('button', { name: '맞는 답변' })).toBeNull()
})

it('says when a label could not be stored', async () => {
  labels([])
  const problem = { type: 'x', title: 'Gone', status: 404, detail: '그런 평가가 없습니다.' }
  server.use(
    http.post('/qa-evaluations/e1/feedback', () => HttpResponse.json(problem, { status: 404 })),
  )
  const { user } = show()
  await user.click(await thumb('맞는 답변'))
  await waitFor(async () => {
    expect(await thumb('맞는 답변')).toBeEnabled()
  })
  expect(await thumb('맞는 답변')).toHaveAttribute('aria-pressed', 'false')
})

it('copies the address of the evaluation', async () => {
  labels([])
  const { user } = show()
  const button = screen.getByRole('button', { name: '링크 복사' })
  await user.click(button)
  expect(await navigator.clipboard.readText()).toBe('http://localhost:3000/evaluations/e1')

  const refused = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
  await user.click(button)
  expect(refused).toHaveBeenCalledOnce()
})
