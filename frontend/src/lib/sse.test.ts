import fc from 'fast-check'
import { http, HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'

import { server } from '@/testing/server'

import { ApiError } from './problem'
import { readEvents, type SseEvent } from './readEvents'
import { streamEvents, subscribe } from './sse'

function body(chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      chunks.forEach((chunk) => {
        controller.enqueue(chunk)
      })
      controller.close()
    },
  })
}

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const event of events) found.push(event)
  return found
}

const read = (text: string) => all(readEvents(body([new TextEncoder().encode(text)])))
const message = (data: string): SseEvent => ({ event: 'message', data, id: null })

function eventStream(text: string): Response {
  return new HttpResponse(text, { headers: { 'Content-Type': 'text/event-stream' } })
}

const quick = { firstDelay: 1, maxDelay: 4 }

describe('readEvents', () => {
  it('reads names, ids, several lines and comments', async () => {
    const text = ': hello\nevent: quality\nid: 7-1\ndata: one\ndata:two\n\ndata\n\n'
    expect(await read(text)).toEqual([
      { event: 'quality', data: 'one\ntwo', id: '7-1' },
      message(''),
    ])
  })

  it('leaves out what was not ended by an empty line', async () => {
    expect(await read('data: a\n\ndata: b\n')).toEqual([message('a')])
    expect(await read('data: a\r\rdata: b\r')).toEqual([message('a')])
  })

  it('tells how long to wait before reconnecting', async () => {
    const onRetry = vi.fn()
    await all(readEvents(body([new TextEncoder().encode('retry: 250\n\n')]), { onRetry }))
    expect(onRetry).toHaveBeenCalledWith(250)
  })

  it('cancels the body when the reader leaves', async () => {
    const cancel = vi.fn()
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('data: a\n\n'))
      },
      cancel,
    })
    for await (const event of readEvents(endless)) {
      expect(event).toEqual(message('a'))
      break
    }
    expect(cancel).toHaveBeenCalledOnce()
  })

  const word = fc.oneof(
    fc.constantFrom(
      '',
      '한국어 답변입니다. [노트 1]',
      '👩‍🔬🧪',
      '각각',
      '\u{1F1F0}\u{1F1F7}',
      ': x',
      'data: y',
    ),
    fc.string({ unit: 'binary' }).map((text) => text.replace(/[\r\n\0]/g, '')),
  )
  const made = fc.record({
    event: fc.constantFrom('message', 'quality', 'qa_evaluation', '평가'),
    id: fc.option(fc.constantFrom('12-3', 'é')),
    lines: fc.array(word, { minLength: 1, maxLength: 4 }),
    comment: fc.boolean(),
  })

  it('reads the same however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(made, { maxLength: 6 }),
        fc.constantFrom('\n', '\r', '\r\n'),
        fc.array(fc.nat()),
        async (events, end, cuts) => {
          const text = events
            .flatMap(({ event, id, lines, comment }) => [
              ...(comment ? [': 계속'] : []),
              ...(event === 'message' ? [] : [`event: ${event}`]),
              ...(id === null ? [] : [`id: ${id}`]),
              ...lines.map((line) => `data: ${line}`),
              '',
            ])
            .map((line) => line + end)
            .join('')
          const bytes = new TextEncoder().encode(text)
          const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
          const chunks = [0, ...at].map((from, i) => bytes.slice(from, at[i] ?? bytes.length))

          expect(await all(readEvents(body(chunks)))).toEqual(
            events.map(({ event, id, lines }) => ({
              event,
              // What is no scalar value cannot be sent as UTF-8.
              data: new TextDecoder('utf-8', { ignoreBOM: true }).decode(
                new TextEncoder().encode(lines.join('\n')),
              ),
              id,
            })),
          )
        },
      ),
      { numRuns: 500 },
    )
  })

  it('reads the same byte by byte', async () => {
    const bytes = new TextEncoder().encode('data: {"chunk": "변성 온도는 95도 🧪"}\r\n\r\n')
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect(await all(readEvents(body(single)))).toEqual([
      message('{"chunk": "변성 온도는 95도 🧪"}'),
    ])
  })
})

describe('streamEvents', () => {
  it('asks in the language of the page and throws the problem that it is answered with', async () => {
    document.documentElement.lang = 'en'
    server.use(
      http.post('/ai/stream', ({ request }) =>
        HttpResponse.json(
          {
            type: 'urn:searchqa:problem:invalid-request',
            title: '',
            status: 422,
            detail: `not valid, ${request.headers.get('Accept-Language') ?? ''}`,
          },
          { status: 422 },
        ),
      ),
    )
    const reading = all(streamEvents('/ai/stream', { method: 'POST', body: '{}' }))
    await expect(reading).rejects.toMatchObject({
      code: 'invalid-request',
      message: 'not valid, en',
    })
  })
})

describe('subscribe', () => {
  it('goes on after the last event over lost connections until there is no more', async () => {
    const asked: (string | null)[] = []
    const answers = [
      () => eventStream('id: 1\ndata: a\n\ndata: b\n\n'),
      () => HttpResponse.error(),
      () => new HttpResponse(null, { status: 503 }),
      () => eventStream('id: 2\ndata: c\n\n'),
      () => new HttpResponse(null, { status: 204 }),
    ]
    server.use(
      http.get('/qa-evaluations/events', ({ request }) => {
        asked.push(request.headers.get('Last-Event-ID'))
        return answers[asked.length - 1]?.()
      }),
    )
    const connection = vi.fn()
    const { signal } = new AbortController()
    const events = await all(
      subscribe('/qa-evaluations/events', { signal, ...quick, onConnection: connection }),
    )

    expect(events.map((event) => event.data)).toEqual(['a', 'b', 'c'])
    expect(asked).toEqual([null, '1', '1', '1', '2'])
    expect(connection.mock.calls.map(([connected]) => connected as boolean)).toEqual([
      true,
      true,
      false,
      false,
      false,
      true,
      false,
    ])
  })

  it('starts where it is told to', async () => {
    const asked: (string | null)[] = []
    server.use(
      http.get('/events', ({ request }) => {
        asked.push(request.headers.get('Last-Event-ID'))
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { signal } = new AbortController()
    expect(await all(subscribe('/events', { signal, lastEventId: '9-9', ...quick }))).toEqual([])
    expect(asked).toEqual(['9-9'])
  })

  it('does not ask again for what is not there', async () => {
    let asked = 0
    server.use(
      http.get('/events', () => {
        asked++
        return HttpResponse.json(
          { type: 'urn:searchqa:problem:not-found', title: '', status: 404, detail: 'gone' },
          { status: 404 },
        )
      }),
    )
    const { signal } = new AbortController()
    await expect(all(subscribe('/events', { signal, ...quick }))).rejects.toBeInstanceOf(ApiError)
    expect(asked).toBe(1)
  })

  it('ends with its signal, also while it waits', async () => {
    server.use(http.get('/events', () => eventStream('data: a\n\n')))
    const controller = new AbortController()
    const events = subscribe('/events', {
      signal: controller.signal,
      firstDelay: 60_000,
      maxDelay: 60_000,
      onConnection: (connected) => {
        if (!connected) controller.abort()
      },
    })
    expect(await all(events)).toEqual([message('a')])
  })
})
