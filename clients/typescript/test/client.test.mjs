import assert from 'node:assert/strict'
import { test } from 'node:test'

import { judgeOnFinish } from '../dist/ai-sdk.js'
import { Background, SearchQA, SearchQAError } from '../dist/index.js'
import { readEvents } from '../dist/sse.js'
import { served } from './served.mjs'

async function all(events) {
  const found = []
  for await (const event of events) found.push(event)
  return found
}

const CREATED = { id: 'e1', answer_id: 'a1', status: 'queued', reason: null }
const ANSWER = {
  question: '몇 도?',
  answer: '95도',
  notes: ['변성은 95도', { title: 'x', content: 'y' }],
}

test('an answer is sent again under one key until the server takes it', async (t) => {
  const { url, requests } = await served(t, [503, {}], [202, CREATED])
  const client = new SearchQA({ url: `${url}/`, token: () => 'sq_1' })
  assert.deepEqual(await client.submit(ANSWER), CREATED)
  const [first, second] = requests
  assert.equal(first.headers['idempotency-key'], second.headers['idempotency-key'])
  assert.equal(first.headers.authorization, 'Bearer sq_1')
  assert.deepEqual(JSON.parse(first.body).sources[0], { content: '변성은 95도' })
})

test('what the server refuses is not sent again, and says why', async (t) => {
  const { url, requests } = await served(t, [403, { type: 'urn:x', detail: 'No scope.' }])
  await assert.rejects(new SearchQA({ url }).submit(ANSWER), {
    ...{ name: 'SearchQAError', message: 'No scope.', status: 403, type: 'urn:x' },
  })
  assert.equal(requests.length, 1)
})

test('a server that is away or late is named with the cause', async (t) => {
  const away = new SearchQA({ url: 'http://127.0.0.1:1', tries: 1 })
  await assert.rejects(away.verdict('e1'), /127\.0\.0\.1:1 cannot be reached .*bad port/)
  const { url } = await served(t, () => {})
  const late = new SearchQA({ url, tries: 1, timeoutMs: 50 })
  await assert.rejects(late.verdict('e1'), /no reply within 50 ms/)
})

test('a question is not asked twice where it may have been answered', async (t) => {
  const { url, requests } = await served(t, [500, {}])
  await assert.rejects(new SearchQA({ url }).chat('몇 도?'), SearchQAError)
  assert.equal(requests.length, 1)
})

test('a verdict is waited for until it is final, or not for ever', async (t) => {
  const { url } = await served(t, [200, { status: 'running' }], [200, { status: 'succeeded' }])
  assert.equal((await new SearchQA({ url }).wait('e1')).status, 'succeeded')
  const never = await served(t, [200, { status: 'running' }])
  await assert.rejects(new SearchQA(never).wait('e1', { timeoutMs: 50 }), /50 ms/)
})

test('a verdict is not waited for longer than that by a server that hangs', async (t) => {
  const hangs = await served(t, () => {})
  await assert.rejects(new SearchQA(hangs).wait('e1', { timeoutMs: 50 }), /50 ms/)
})

test('an id stays within its part of the path', async (t) => {
  const { url, requests } = await served(t, [200, { status: 'succeeded' }])
  await new SearchQA({ url }).verdict('../whoami?x')
  assert.equal(requests[0].url, '/qa-evaluations/..%2Fwhoami%3Fx')
})

test('a reply that breaks off is asked for again, one that is no JSON is not', async (t) => {
  const half = (response) => {
    response.writeHead(200, { 'Content-Length': 99 })
    response.write('{"status"')
    setTimeout(() => response.destroy(), 20)
  }
  const page = (response) => response.end('<html>')
  const { url, requests } = await served(t, half, [200, { status: 'queued' }], page)
  const client = new SearchQA({ url })
  assert.equal((await client.verdict('e1')).status, 'queued')
  await assert.rejects(client.verdict('e1'), { name: 'SearchQAError', status: 200 })
  assert.equal(requests.length, 3)
})

test('the body of a reply has to arrive in time, too', async (t) => {
  const stalls = (response) => (response.writeHead(200), response.write('{'))
  const { url } = await served(t, stalls)
  const client = new SearchQA({ url, timeoutMs: 100, tries: 1 })
  await assert.rejects(client.verdict('e1'), { name: 'SearchQAError', status: null })
})

test('events are read the same wherever their bytes are cut', async () => {
  const text =
    ': hi\r\n\r\nevent: none\r\n\r\nid: 1\r\nevent: state\r\ndata: {"가":\r\ndata: "나"}\r\n\r\n'
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at <= bytes.length; at++) {
    const body = ReadableStream.from([bytes.slice(0, at), bytes.slice(at)])
    const events = await all(readEvents(body))
    assert.deepEqual(events, [{ id: '1', name: 'state', data: '{"가":\n"나"}' }], `cut at ${at}`)
  }
  const nameless = ReadableStream.from([new TextEncoder().encode('event: a\n\ndata: b\n\n')])
  assert.equal((await all(readEvents(nameless)))[0].name, 'message')
})

test('events go on where the connection was lost', async (t) => {
  const sse = (text, end) => (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(text)
    end ? response.end() : setTimeout(() => response.destroy(), 20)
  }
  const { url, requests } = await served(
    t,
    sse(': hi\r\n\r\nid: 1\r\nevent: state\r\ndata: {"status":\r\ndata: "running"}\r\n\r\n', false),
    sse('data: {"status":"succeeded"}\n\nid: 2\nevent: qa_evaluation\ndata: {}\n\n', true),
  )
  const events = []
  for await (const event of new SearchQA({ url }).events('e1')) events.push(event)
  assert.deepEqual(
    events.map(({ id, name }) => [id, name]),
    [
      ['1', 'state'],
      [null, 'message'],
      ['2', 'qa_evaluation'],
    ],
  )
  assert.equal(requests[1].headers['last-event-id'], '1')
})

test('the background never throws, keeps the newest and counts what it drops', async (t) => {
  const { url } = await served(t, [202, CREATED], [422, { detail: 'too long' }], [202, CREATED])
  const dropped = []
  const background = new Background(new SearchQA({ url }), {
    maxWaiting: 2,
    onDrop: (answer, reason) => {
      dropped.push([answer.answer, reason])
      throw new Error('of the host')
    },
  })
  for (const answer of ['1', '2', '3', '4']) background.submit({ ...ANSWER, answer })
  judgeOnFinish(background, ANSWER)({ text: ' ' })
  assert.equal(await background.close(), true)
  background.submit({ ...ANSWER, answer: '5' })
  assert.deepEqual(background.stats, { sent: 2, dropped: 3, waiting: 0 })
  assert.deepEqual(dropped, [
    ['2', 'too many wait'],
    ['3', 'too long'],
    ['5', 'closed'],
  ])
})

test('what is submitted while the background comes to its end is sent', async () => {
  for (let turns = 0; turns < 12; turns++) {
    const background = new Background({ submit: () => Promise.resolve(CREATED) })
    background.submit(ANSWER)
    for (let turn = 0; turn < turns; turn++) await null
    background.submit(ANSWER)
    assert.equal(await background.flush(), true)
    assert.deepEqual(background.stats, { sent: 2, dropped: 0, waiting: 0 }, `after ${turns}`)
  }
})

test('the background can be closed while a server hangs or refuses', async (t) => {
  for (const reply of [() => {}, [503, {}, { 'Retry-After': '30' }]]) {
    const background = new Background(new SearchQA(await served(t, reply)))
    for (let answers = 0; answers < 3; answers++) background.submit(ANSWER)
    const began = Date.now()
    assert.equal(await background.close(50), false)
    assert.ok(Date.now() - began < 5_000)
    assert.deepEqual(background.stats, { sent: 0, dropped: 3, waiting: 0 })
  }
})

test('the background waits for a server that is away, until it is closed', async () => {
  const background = new Background(new SearchQA({ url: 'http://127.0.0.1:9', tries: 1 }))
  background.submit(ANSWER)
  assert.equal(await background.flush(50), false)
  assert.equal(background.stats.waiting, 1)
  assert.equal(await background.close(10), false)
  assert.deepEqual(background.stats, { sent: 0, dropped: 1, waiting: 0 })
})
