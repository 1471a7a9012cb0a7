import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'

import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

const EVENT = {
  ...{ position: 7, at: '2026-11-28T01:00:00Z', actor: '김운영', actor_id: null, via: 'api' },
  ...{ origin: '192.0.2.1 probe', kind: 'policy', action: 'update', subject: null },
  ...{ subject_id: null, row_count: 1, hash: 'ab' },
  ...{ before: { sample_rate: 0.5 }, after: { sample_rate: 0.25 } },
}
const LOGIN = { ...EVENT, position: 8, actor: 'browser session' }
const BROKEN = {
  ...{ whole: false, events: 3, position: 7, hash: 'ab', deleted_by_retention: 0, changed: [2] },
  ...{ missing: [{ first: 4, last: 5 }], head_differs: false, noted_hash: null },
}

it('shows who changed what, by kind, and what verification found', async () => {
  const asked: string[] = []
  server.use(
    http.get('/audit-events', ({ request }) => {
      asked.push(new URL(request.url).search)
      return HttpResponse.json({ items: [EVENT, LOGIN], next: null })
    }),
    http.get('/audit-events/verification', () => HttpResponse.json(BROKEN)),
  )
  const { user } = renderApp('/audit')

  const row = await screen.findByRole('row', { name: /김운영/ })
  expect(row).toHaveTextContent('정책: 변경')
  expect(row).toHaveTextContent('sample_rate 0.5 → 0.25')

  await user.type(screen.getByLabelText('토큰 또는 계정 이름'), '브라우저 로그인{Enter}')
  await expect.poll(() => asked.at(-1)).toBe('?actor=browser%20session')
  expect(screen.getByRole('row', { name: /브라우저 로그인/ })).toBeVisible()
  await user.clear(screen.getByLabelText('토큰 또는 계정 이름'))
  await user.keyboard('{Enter}')

  await user.selectOptions(screen.getByLabelText('종류'), '토큰')
  await expect.poll(() => asked.at(-1)).toBe('?kind=token')
  const csv = screen.getByRole('link', { name: 'CSV로 내보내기' })
  expect(csv).toHaveAttribute('href', '/audit-events/export?kind=token&format=csv')

  await user.click(screen.getByRole('button', { name: '로그 검증' }))
  const found = await screen.findByText(/기록 2번이 변경되었습니다/)
  expect(found).toHaveTextContent('기록 4번부터 5번까지 없습니다.')
})
