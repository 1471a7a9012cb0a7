import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'

import type { EvaluationView } from '@/lib/verdict'
import { evaluation, JUDGED } from '@/testing/evaluation'
import { noFeedback } from '@/testing/feedback'
import { liveStream } from '@/testing/liveStream'
import { renderInApp } from '@/testing/render'
import { server } from '@/testing/server'

import { AIChat } from './AIChat'

const ID = evaluation().id
const STATE = { ...evaluation(), poll: '', events: '' }
const NOTES = [{ note_index: 1, note_id: null, title: 'PCR 조건', score: 2 }]

let conversation = ''
let number = 0
beforeEach(() => {
  sessionStorage.clear()
  conversation = `test-${String(++number)}`
  server.use(...noFeedback)
})

/** Serves `/ai/stream` with streams the test writes, one for each question. */
function answers() {
  const asked: unknown[] = []
  const streams: ReturnType<typeof liveStream>[] = []
  server.use(
    http.post('/ai/stream', async ({ request }) => {
      asked.push(await request.json())
      const stream = liveStream()
      streams.push(stream)
      return stream.response
    }),
  )
  const next = async (index: number) => {
    await waitFor(() => {
      expect(streams.length).toBeGreaterThan(index)
    })
    const stream = streams[index]
    if (!stream) throw new Error('not asked')
    return stream
  }
  return { asked, next }
}

/** Serves the verdict as it stands, and its events by streams the test writes. */
function verdicts(first: Partial<EvaluationView> = {}) {
  const served = { view: evaluation(first), reads: 0, follows: 0 }
  const events = liveStream()
  server.use(
    http.get(`/qa-evaluations/${ID}`, () => {
      served.reads++
      return HttpResponse.json(served.view, { headers: { 'Retry-After': '0' } })
    }),
    http.get(`/qa-evaluations/${ID}/events`, () => {
      return served.follows++ === 0 ? events.response : new HttpResponse(null, { status: 204 })
    }),
  )
  return { served, events }
}

const show = () => renderInApp(<AIChat conversation={conversation} />)
type User = ReturnType<typeof show>['user']
const askBy = (user: User, text = '변성 온도는?') =>
  user.type(screen.getByRole('textbox', { name: '질문' }), `${text}{Enter}`)

type Stream = ReturnType<typeof liveStream>
function tell(stream: Stream, text = '95도입니다 [노트 1].') {
  stream.send('metadata', { answer_id: 'a1', matched_notes: NOTES, lang: 'ko' })
  stream.send(null, { chunk: text })
  stream.send(null, '[DONE]')
}

describe('the life of an answer', () => {
  it('is written, judged and shown with its verdict by the stream', async () => {
    const { asked, next } = answers()
    const { served, events } = verdicts()
    const { user } = show()
    await askBy(user)
    const stream = await next(0)
    expect(asked).toEqual([{ content: '변성 온도는?', options: {}, feature: 'search_qa' }])
    stream.send('metadata', { matched_notes: NOTES, lang: 'ko' })
    stream.send(null, { chunk: '95도' })
    expect(await screen.findByText('95도')).toBeVisible()
    expect(screen.getByRole('button', { name: '중지' })).toBeEnabled()
    stream.send(null, { chunk: '입니다 [노트 1].' })
    stream.send(null, '[DONE]')
    stream.send('evaluation', STATE)
    expect(await screen.findByText('평가를 기다리는 중입니다')).toBeVisible()
    expect(screen.getByText('답변이 완성되었습니다')).toHaveRole('status')

    events.send('evaluation', { ...STATE, status: 'running' }, '1-1')
    expect(await screen.findByText('평가하는 중입니다')).toBeVisible()

    served.view = evaluation({ status: 'succeeded', qa_evaluation: { ...JUDGED } })
    stream.send('evaluation', { ...STATE, status: 'succeeded' })
    stream.send('qa_evaluation', { ...JUDGED, degraded: false })
    expect(await screen.findByText('보통 신뢰도')).toBeVisible()
    expect(screen.getByText('평가 결과: 일부만 노트로 확인됨')).toHaveRole('status')
    expect(screen.getByRole('progressbar', { name: '정확성' })).toHaveAttribute(
      'aria-valuenow',
      '90',
    )
    await user.click(screen.getByText('평가 자세히 보기'))
    expect(screen.getByText('72도는 노트에 없습니다')).toBeVisible()
    expect(screen.getByText('변성은 95도')).toBeVisible()
  })

  it('lets the next question be asked while the verdict is awaited', async () => {
    const { asked, next } = answers()
    verdicts({ answer: '첫 답변' })
    const { user } = show()
    await askBy(user, '하나')
    const first = await next(0)
    tell(first, '첫 답변')
    first.send('evaluation', STATE)
    await screen.findByText('평가를 기다리는 중입니다')
    await askBy(user, '둘')
    tell(await next(1), '둘째 답변')
    expect(await screen.findByText('둘째 답변')).toBeVisible()
    expect(screen.getByText('첫 답변')).toBeVisible()
    expect(screen.getByText('평가를 기다리는 중입니다')).toBeVisible()
    expect(asked).toHaveLength(2)
  })

  it('stops, keeps what was written, and asks the same again', async () => {
    const { asked, next } = answers()
    const { user } = show()
    await askBy(user)
    const stream = await next(0)
    stream.send(null, { chunk: '반쯤' })
    await screen.findByText('반쯤')
    await user.click(screen.getByRole('button', { name: '중지' }))
    expect(await screen.findByText(/답변을 중지했습니다/)).toBeVisible()
    expect(screen.getByText('반쯤')).toBeVisible()
    await user.click(screen.getByRole('button', { name: '다시 시도' }))
    tell(await next(1), '온전한 답변')
    expect(await screen.findByText('온전한 답변')).toBeVisible()
    expect(screen.queryByText('반쯤')).toBeNull()
    expect(asked[1]).toEqual(asked[0])
  })

  it('says why it failed', async () => {
    const problem = { type: 'x', title: 'Too Many', status: 429, detail: '잠시 뒤에 물어보세요.' }
    server.use(http.post('/ai/stream', () => HttpResponse.json(problem, { status: 429 })))
    const { user } = show()
    await askBy(user)
    expect(await screen.findByRole('alert')).toHaveTextContent('잠시 뒤에 물어보세요.')
  })

  it('is interrupted when the connection breaks in the text', async () => {
    const { next } = answers()
    const { user } = show()
    await askBy(user)
    const stream = await next(0)
    stream.send(null, { chunk: '반쯤' })
    await screen.findByText('반쯤')
    stream.breakOff()
    expect(await screen.findByRole('alert')).toHaveTextContent('중단되었습니다')
  })

  it('says that what was pasted is cut at the limit, until it is sent', async () => {
    const { asked, next } = answers()
    const { user } = show()
    const box = screen.getByRole('textbox', { name: '질문' })
    await user.click(box)
    await user.paste('가'.repeat(4001))
    expect(box).toHaveAccessibleDescription('4,000자를 넘는 부분은 붙여 넣지 않았습니다.')
    await user.keyboard('{Enter}')
    await next(0)
    expect(asked).toMatchObject([{ content: '가'.repeat(4000) }])
    expect(box).not.toHaveAccessibleDescription(/붙여 넣지/)
  })

  it('leaves an Enter that composes a syllable to the input method', () => {
    const { asked } = answers()
    show()
    const box = screen.getByRole('textbox', { name: '질문' })
    box.focus()
    box.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }),
    )
    expect(asked).toEqual([])
  })
})

describe('a verdict that the stream does not bring', () => {
  async function askAndLose() {
    const { next } = answers()
    const view = show()
    await askBy(view.user)
    const stream = await next(0)
    tell(stream)
    stream.send('evaluation', STATE)
    stream.end()
    return view
  }

  it('comes by subscription', async () => {
    const { served, events } = verdicts()
    await askAndLose()
    await waitFor(() => {
      expect(served.follows).toBe(1)
    })
    served.view = evaluation({ status: 'succeeded', qa_evaluation: { ...JUDGED } })
    events.send('evaluation', { ...STATE, status: 'succeeded' }, '2-1')
    expect(await screen.findByText('보통 신뢰도')).toBeVisible()
  })

  it('comes after a reload, with the same messages', async () => {
    const { served } = verdicts()
    const { unmount } = await askAndLose()
    await screen.findByText('평가를 기다리는 중입니다')
    unmount()
    const stored = sessionStorage.getItem(`searchqa.conversation.${conversation}`)
    // What a reload finds: the storage, and a page that knows nothing.
    conversation = `${conversation}-reloaded`
    sessionStorage.setItem(`searchqa.conversation.${conversation}`, stored ?? '')
    served.view = evaluation({ status: 'succeeded', qa_evaluation: { ...JUDGED } })
    show()
    expect(await screen.findByText('보통 신뢰도')).toBeVisible()
    expect(screen.getByRole('heading', { name: '변성 온도는?' })).toBeVisible()
    expect(await screen.findByRole('button', { name: '노트 1 열기' })).toBeVisible()
  })

  it('comes by poll when events cannot be had', async () => {
    const { served } = verdicts()
    server.use(
      http.get(`/qa-evaluations/${ID}/events`, () => new HttpResponse(null, { status: 418 })),
    )
    await askAndLose()
    await screen.findByText('평가를 기다리는 중입니다')
    const before = served.reads
    await waitFor(() => {
      expect(served.reads).toBeGreaterThan(before)
    })
    served.view = evaluation({ status: 'succeeded', qa_evaluation: { ...JUDGED } })
    expect(await screen.findByText('보통 신뢰도')).toBeVisible()
  })

  it('is found by the answer when the stream broke before it told of any', async () => {
    const { next } = answers()
    verdicts({ status: 'succeeded', qa_evaluation: { ...JUDGED } })
    const asked: (string | null)[] = []
    server.use(
      http.get('/qa-evaluations', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('answer_id'))
        if (asked.length === 1) return HttpResponse.error()
        const row = { id: ID, status: 'queued', reason: null, error: null, is_current: true }
        // The answer is stored a moment after its text was told.
        return HttpResponse.json({ items: asked.length === 2 ? [] : [row], next: null })
      }),
    )
    const { user } = show()
    await askBy(user)
    const stream = await next(0)
    tell(stream)
    stream.end()
    expect(await screen.findByText(/평가 상태를 확인할 수 없습니다/)).toBeVisible()
    expect(await screen.findByText('보통 신뢰도')).toBeVisible()
    expect(asked).toEqual(['a1', 'a1', 'a1'])
    expect(screen.queryByText(/평가 상태를 확인할 수 없습니다/)).toBeNull()
  })

  it('was deleted', async () => {
    server.use(http.get(`/qa-evaluations/${ID}`, () => HttpResponse.json({}, { status: 404 })))
    await askAndLose()
    expect(await screen.findByText('평가가 삭제되었습니다')).toBeVisible()
  })
})

it('restores a text that a reload broke off as interrupted', () => {
  const message = { id: 'x', request: { content: '질문' }, content: '반', state: 'streaming' }
  sessionStorage.setItem(`searchqa.conversation.${conversation}`, JSON.stringify([message]))
  show()
  expect(screen.getByRole('alert')).toHaveTextContent('중단되었습니다')
})

it('shows a note as the model was given it, with the quote marked', async () => {
  const { next } = answers()
  verdicts({ status: 'succeeded', qa_evaluation: { ...JUDGED } })
  const source = { note_index: 1, title: 'PCR 조건', content: '온도\n변성:  95도에서' }
  server.use(http.get(`/qa-evaluations/${ID}/sources`, () => HttpResponse.json([source])))
  const { user } = show()
  await askBy(user)
  const stream = await next(0)
  tell(stream)
  stream.send('evaluation', STATE)
  await screen.findByText('보통 신뢰도')
  await user.click(await screen.findByRole('button', { name: '노트 1 열기' }))
  const dialog = await screen.findByRole('dialog', { name: '답변과 근거 노트' })
  expect(await within(dialog).findByText('변성: 95도')).toHaveProperty('tagName', 'MARK')
})
