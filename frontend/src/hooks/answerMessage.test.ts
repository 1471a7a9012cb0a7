import fc from 'fast-check'
import { expect, it } from 'vitest'

import { readEvents } from '@/lib/readEvents'

import { messageAfter, messageEnded, newMessage, type AIMessage } from './answerMessage'

const request = { content: '질문', feature: 'search_qa', options: {} } as AIMessage['request']
const NOTE = { note_index: 1, note_id: null, title: '노트 가 🧪', score: 1.5 }
const STATE = { id: 'e', answer_id: 'a', status: 'queued', reason: null, error: null }
const QUALITY = { passed: true, pass_ratio: 1, items: [] }
const JUDGED = { correctness: 0.9, utility: 0.8, confidence: 'high', summary: '좋습니다 👍' }
const FEEDBACK = { overall_score: 0.9, needs_improvement: false }
const about = { evaluation_id: 'e', degraded: true }

const event = (name: string | null, data: unknown) =>
  `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

/** All that `POST /ai/stream` may send of one answer. */
function contract(chunks: string[]): string {
  return [
    event('metadata', { answer_id: 'a1', matched_notes: [NOTE], lang: 'ko' }),
    ...chunks.map((chunk) => event(null, { chunk })),
    event(null, '[DONE]'),
    ': keep-alive\n\n',
    event('evaluation', STATE),
    event('something_new', { a: 1 }),
    event('evaluation', { ...STATE, status: 'succeeded' }),
    event('quality', { ...QUALITY, ...about }),
    event('qa_evaluation', { ...JUDGED, ...about }),
    event('feedback', { ...FEEDBACK, ...about }),
  ].join('')
}

async function read(bytes: Uint8Array, cuts: number[]): Promise<AIMessage> {
  const edges = [0, ...[...cuts].sort((a, b) => a - b), bytes.length]
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      edges.slice(1).forEach((to, at) => {
        controller.enqueue(bytes.slice(edges[at], to))
      })
      controller.close()
    },
  })
  let message = newMessage('m', request)
  for await (const each of readEvents(body)) message = messageAfter(message, each)
  return messageEnded(message)
}

it('is the same answer and verdict, however the network cuts it', async () => {
  const chunks = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('한🧪\n\ndata: x')))
  await fc.assert(
    fc.asyncProperty(chunks, fc.array(fc.nat(), { maxLength: 40 }), async (texts, numbers) => {
      const bytes = new TextEncoder().encode(contract(texts))
      const message = await read(
        bytes,
        numbers.map((number) => number % bytes.length),
      )
      expect(message).toEqual({
        id: 'm',
        request,
        content: texts.join(''),
        matchedNotes: [NOTE],
        answerId: 'a1',
        state: 'complete',
        problem: null,
        open: false,
        verdict: expect.objectContaining({
          id: 'e',
          status: 'succeeded',
          degraded: true,
          quality: expect.objectContaining(QUALITY) as unknown,
          qa_evaluation: expect.objectContaining(JUDGED) as unknown,
          feedback: expect.objectContaining(FEEDBACK) as unknown,
        }) as unknown,
      })
    }),
  )
})

it('is cut anywhere, even at every byte', async () => {
  const bytes = new TextEncoder().encode(contract(['각🧪', '👩‍🔬']))
  const whole = await read(bytes, [])
  expect(await read(bytes, [...bytes.keys()])).toEqual(whole)
  for (const cut of bytes.keys()) expect(await read(bytes, [cut])).toEqual(whole)
})

it('is interrupted when it breaks off at any byte of its text', async () => {
  const bytes = new TextEncoder().encode(event(null, { chunk: '가' }) + event(null, '[DONE]'))
  for (const end of bytes.keys()) {
    expect((await read(bytes.slice(0, end), [])).state).toBe('interrupted')
  }
  expect((await read(bytes, [])).state).toBe('complete')
})

it('keeps what was written when the model fails', () => {
  const written = messageAfter(newMessage('m', request), {
    event: 'message',
    data: '{"chunk":"가"}',
    id: null,
  })
  const problem = { type: 'x', title: 'Bad Gateway', status: 502, detail: '모델이 거절했습니다.' }
  const failed = messageAfter(written, { event: 'error', data: JSON.stringify(problem), id: null })
  expect(messageEnded(failed)).toMatchObject({ content: '가', state: 'failed', problem })
})
