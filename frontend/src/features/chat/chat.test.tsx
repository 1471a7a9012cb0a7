import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'

import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

it('leads from no notes to sample notes and a first question', async () => {
  let loaded = false
  const asked: unknown[] = []
  const notebook = { id: 'b1', name: 'laboratory', notes: 13, created_at: '' }
  server.use(
    http.get('/notebooks', () => HttpResponse.json(loaded ? [notebook] : [])),
    http.get('/conversations', () => HttpResponse.json({ items: [], next: null })),
    http.post('/sample-notes', () => {
      loaded = true
      return HttpResponse.json({ created: 13, updated: 0, unchanged: 0 })
    }),
    http.post('/ai/stream', async ({ request }) => {
      asked.push(await request.json())
      return new HttpResponse(null, { status: 503 })
    }),
  )
  const { user } = renderApp('/')
  await user.click(await screen.findByRole('button', { name: '예시 노트 불러오기' }))
  const question = 'PCR 어닐링 온도와 시간은 어떻게 설정하나요?'
  await user.click(await screen.findByRole('button', { name: question }))
  expect(await screen.findByRole('heading', { name: question })).toBeVisible()
  expect(screen.queryByText('아직 노트가 없습니다')).toBeNull()
  expect(asked).toMatchObject([{ content: question }])
})
