import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { renderApp } from '@/testing/render'
import { server } from '@/testing/server'

import { CASES, dataset, job, NOTEBOOK, PASSAGES, progress } from '../testing'

const list = (...items: object[]) =>
  http.get('/evaluation/datasets', () => HttpResponse.json({ items, next: null }))

beforeAll(async () => {
  await Promise.all([import('./DatasetsPage'), import('./DatasetPage')])
}, 60_000)

beforeEach(() => {
  server.use(
    http.get('/notebooks', () => HttpResponse.json([NOTEBOOK])),
    http.get('/evaluation/datasets/:id/passages', () => HttpResponse.json(PASSAGES)),
  )
})

describe('the list of datasets', () => {
  it('shows name, version, size, review and how to take each away', async () => {
    server.use(list(dataset()))
    renderApp('/datasets')
    const row = within(await screen.findByRole('row', { name: /^lab/ }))
    expect(row.getByRole('link', { name: 'lab' })).toHaveAttribute('href', '/datasets/d1')
    expect(row.getByText('v1')).toBeVisible()
    expect(row.getByText('검토 전')).toBeVisible()
    expect(row.getByRole('link', { name: 'lab v1 내보내기: CSV 형식' })).toHaveAttribute(
      'href',
      '/evaluation/datasets/d1/export?format=csv',
    )
  })

  it('says what to do when there is none', async () => {
    server.use(list())
    renderApp('/datasets')
    expect(await screen.findByText('아직 데이터셋이 없습니다')).toBeVisible()
  })

  it('deletes one only when that is confirmed', async () => {
    let there = true
    server.use(
      http.get('/evaluation/datasets', () =>
        HttpResponse.json({ items: there ? [dataset()] : [], next: null }),
      ),
      http.delete('/evaluation/datasets/d1', () => {
        there = false
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user } = renderApp('/datasets')
    await user.click(await screen.findByRole('button', { name: '삭제: lab v1' }))
    expect(there).toBe(true)
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: '삭제' }))
    expect(await screen.findByText('아직 데이터셋이 없습니다')).toBeVisible()
  })

  it('generates from a notebook, and follows the job to its end', async () => {
    let made = false
    let asked: unknown
    server.use(
      http.get('/evaluation/datasets', () =>
        HttpResponse.json({ items: made ? [dataset()] : [], next: null }),
      ),
      http.post('/evaluation/datasets/generate', async ({ request }) => {
        asked = await request.json()
        return HttpResponse.json(job(), { status: 202 })
      }),
      http.get('/jobs/j1', () => HttpResponse.json(job())),
      http.get('/jobs/j1/events', () => {
        made = true
        return progress(job({ done: 3, total: 9 }), job({ status: 'succeeded', done: 9, total: 9 }))
      }),
    )
    const { user } = renderApp('/datasets')
    await user.click(await screen.findByRole('button', { name: '질문 만들기' }))
    const dialog = within(screen.getByRole('dialog'))
    await dialog.findByRole('option', { name: /실험실/ })
    await user.selectOptions(dialog.getByLabelText('노트북'), 'n1')
    await user.type(dialog.getByLabelText('이름'), 'lab')
    await user.click(dialog.getByRole('button', { name: '만들기' }))

    expect(await screen.findByText('질문을 만들었습니다: lab')).toBeVisible()
    expect(await screen.findByRole('link', { name: 'lab' })).toBeVisible()
    expect(asked).toEqual({
      name: 'lab',
      notebook_id: 'n1',
      questions_per_chunk: 2,
      max_chunks_sample: 50,
      seed: 0,
    })
  })

  it('imports a file, and shows the line that is wrong', async () => {
    const detail = '3번째 줄: question이 없습니다.'
    server.use(
      list(),
      http.post('/evaluation/datasets/import', () =>
        HttpResponse.json({ type: 'x', title: '', status: 422, detail }, { status: 422 }),
      ),
    )
    const { user } = renderApp('/datasets')
    await user.click(await screen.findByRole('button', { name: '가져오기' }))
    const dialog = within(screen.getByRole('dialog'))
    await user.upload(dialog.getByLabelText('파일'), new File(['{}'], 'base.csv'))
    expect(dialog.getByLabelText('형식')).toHaveValue('csv')
    expect(dialog.getByLabelText('이름')).toHaveValue('base')
    await user.click(dialog.getByRole('button', { name: '가져오기' }))
    expect(await dialog.findByText(detail)).toBeVisible()
  })
})

it('shows where a case is from, what became of it, and since when it is mended', async () => {
  const source = {
    answer_id: 'a1',
    evaluation_id: 'e1',
    app_version: '1.4.1',
    answered_at: '2026-01-01T00:00:00Z',
    was_bad: true,
    added_at: '2026-01-02T00:00:00Z',
    added_by: 'kim',
    deleted: false,
  }
  const [first, second] = CASES
  const note = { title: 'PCR', content: '변성은 95도', note_id: 'n1', deleted: true }
  const mended = { state: 'mended', release: '1.4.2', run_id: 'r1' }
  const made = { ...dataset(), origin: { kind: 'answers' }, review: null }
  const cases = [
    { ...first, source, notes: [note], state: mended },
    { ...second, source: { ...source, deleted: true }, notes: [note], expects_refusal: true },
  ]
  server.use(
    http.get('/evaluation/datasets/d1', () => HttpResponse.json({ ...made, test_cases: cases })),
  )
  const { user } = renderApp('/datasets/d1')
  const row = within(await screen.findByRole('row', { name: /^질문 1/ }))
  expect(row.getByRole('link', { name: /^답변에서 만듦\(1\.4\.1/ })).toHaveAttribute(
    'href',
    '/evaluations/e1',
  )
  expect(row.getByRole('link', { name: '1.4.2에서 고쳐짐' })).toHaveAttribute('href', '/runs/r1')
  await user.click(row.getByText('함께 저장된 노트 1개'))
  expect(row.getByText('지금은 삭제됨')).toBeVisible()
  const other = within(screen.getByRole('row', { name: /^질문 2/ }))
  expect(other.getByText(/^삭제된 답변에서 만듦/)).toBeVisible()
  expect(other.getByText('모른다고 답하기(노트에 없음)')).toBeVisible()
})

describe('the review of questions', () => {
  const kept = () => Object.keys(localStorage).filter((key) => key.includes('review'))
  const open = async () => {
    server.use(
      http.get('/evaluation/datasets/:id', ({ params }) =>
        HttpResponse.json(
          params.id === 'd1'
            ? { ...dataset(), test_cases: CASES }
            : { ...dataset(), id: 'd2', version: 2, review: 'accepted', test_cases: CASES },
        ),
      ),
    )
    const view = renderApp('/datasets/d1')
    await screen.findByText('PCR 변성은 95도에서 한다.')
    return view
  }

  it('takes, leaves out and edits by single keys, and leads to the next version', async () => {
    let sent: unknown
    server.use(
      http.post('/evaluation/datasets/d1/review', async ({ request }) => {
        sent = await request.json()
        return HttpResponse.json({ ...dataset(), id: 'd2', version: 2 }, { status: 201 })
      }),
    )
    const { user, router } = await open()
    screen.getByRole('region', { name: '질문 검토' }).focus()
    await user.keyboard('n')
    expect(screen.getByRole('heading', { name: '질문 2?' })).toBeVisible()
    await user.keyboard('y')
    expect(screen.getByRole('heading', { name: '질문 3?' })).toBeVisible()
    await user.keyboard('e')
    const field = within(screen.getByRole('dialog')).getByLabelText('질문')
    await user.clear(field)
    await user.type(field, 'yes?')
    await user.click(screen.getByRole('button', { name: '적용' }))
    expect(screen.getByText(/수락 1 · 고침 1 · 제외 1 · 미결정 0/)).toBeVisible()
    // Or the next single key would do nothing.
    await waitFor(() => expect(screen.getByRole('region', { name: '질문 검토' })).toHaveFocus())
    await user.click(screen.getByRole('button', { name: '다음 버전으로 저장' }))

    await waitFor(() => {
      expect(router.state.location.pathname).toBe('/datasets/d2')
    })
    expect(sent).toEqual({
      reject: ['c1'],
      edit: [{ id: 'c3', question: 'yes?', reference_answer: '' }],
    })
    expect(await screen.findByRole('heading', { level: 1, name: 'lab v2' })).toBeVisible()
    expect(kept()).toEqual([])
  })

  it('goes on where it was left, with what another tab has decided', async () => {
    const first = await open()
    screen.getByRole('region', { name: '질문 검토' }).focus()
    await first.user.keyboard('n')
    first.unmount()

    const second = await open()
    expect(screen.getByRole('heading', { name: '질문 2?' })).toBeVisible()
    expect(screen.getByText(/수락 0 · 고침 0 · 제외 1 · 미결정 2/)).toBeVisible()
    expect(screen.getByText(/결정 1개를 이 브라우저가 보관합니다/)).toBeVisible()
    const [key] = kept()
    localStorage.setItem(key ?? '', JSON.stringify([['c3', 'rejected']]))
    await second.user.click(screen.getByRole('button', { name: '수락 (y)' }))
    expect(screen.getByText(/수락 1 · 고침 0 · 제외 1 · 미결정 1/)).toBeVisible()
  })

  it('asks before the window is closed where the browser keeps nothing', async () => {
    const { user } = await open()
    const leaves = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(leaves()).toBe(true)
    await user.click(screen.getByRole('button', { name: '제외 (n)' }))
    expect(screen.getByText(/보관하지 못합니다/)).toBeVisible()
    expect(leaves()).toBe(false)

    full.mockRestore()
    await user.click(screen.getByRole('button', { name: '수락 (y)' }))
    expect(screen.getByText(/수락 1 · 고침 0 · 제외 1 · 미결정 1/)).toBeVisible()
    expect(leaves()).toBe(true)
  })

  it('does nothing by keys pressed elsewhere, and says that undecided ones are taken', async () => {
    const { user } = await open()
    await user.keyboard('y')
    expect(screen.getByText(/수락 0 · 고침 0 · 제외 0 · 미결정 3/)).toBeVisible()
    expect(screen.getByText('결정하지 않은 질문은 그대로 수락합니다.')).toBeVisible()
  })
})
