// The wrapper with OpenAI's own SDK, against a model server on loopback.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import OpenAI, { AzureOpenAI } from 'openai'

import { judged } from '../dist/openai.js'
import { served } from './served.mjs'

const ASKED = [
  { role: 'system', content: '변성은 95도' },
  { role: 'user', content: '무엇을?' },
  { role: 'assistant', content: 'PCR' },
  { role: 'user', content: [{ type: 'text', text: '몇 도?' }] },
]
const NOTES = ['변성은 95도']
const CHAT = { model: 'asked', messages: ASKED }
const RESPOND = { model: 'asked', input: ASKED }
const TOOL = { id: 't', type: 'function', index: 0, function: { name: 'f', arguments: '{}' } }
const HISTORY = [{ question: '무엇을?', answer: 'PCR' }]
const JUDGED = { model: 'm1', notes: NOTES, question: '몇 도?', answer: '95도', history: HISTORY }

const completion = (message, more = {}) => [
  200,
  {
    ...{ id: 'c', object: 'chat.completion', created: 0, model: 'm1' },
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } }],
    ...more,
  },
]
const text = { type: 'output_text', text: '95도', annotations: [] }
const said = { type: 'message', id: 'x', role: 'assistant', status: 'completed', content: [text] }
const response = (...output) => ({
  ...{ id: 'r', object: 'response', created_at: 0, model: 'm1', status: 'completed', output },
})
const stream =
  (...events) =>
  (reply) => {
    reply.writeHead(200, { 'Content-Type': 'text/event-stream' })
    for (const event of events) reply.write(`data: ${JSON.stringify(event)}\n\n`)
    reply.end('data: [DONE]\n\n')
  }
const chunk = (delta, finish_reason = null) => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm1' },
  choices: [{ index: 0, delta, finish_reason }],
})
const CHUNKS = [
  chunk({ role: 'assistant', content: '95' }),
  chunk({ content: '도' }),
  chunk({}, 'stop'),
]
const EVENTS = [
  { type: 'response.created', response: { ...response(), status: 'in_progress' } },
  { type: 'response.output_item.added', output_index: 0, item: { ...said, content: [] } },
  {
    type: 'response.content_part.added',
    output_index: 0,
    content_index: 0,
    part: { ...text, text: '' },
  },
  { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: '95도' },
  { type: 'response.completed', response: response(said) },
]

async function read(parts) {
  const found = []
  for await (const part of await parts) found.push(part)
  return found.length
}

for (const [name, reply, call, expected] of [
  ['a completion', completion({ content: '95도' }), (c) => c.chat.completions.create(CHAT), JUDGED],
  [
    'a completion that is parsed',
    completion({ content: '95도' }),
    (c) => c.chat.completions.parse(CHAT),
    JUDGED,
  ],
  [
    'a completion with its response',
    completion({ content: '95도' }),
    (c) => c.chat.completions.create(CHAT).withResponse(),
    JUDGED,
  ],
  [
    'a stream of chunks',
    stream(...CHUNKS),
    async (c) => assert.equal(await read(c.chat.completions.create({ ...CHAT, stream: true })), 3),
    JUDGED,
  ],
  [
    'the helper of streams',
    stream(...CHUNKS),
    async (c) => assert.equal(await c.chat.completions.stream(CHAT).finalContent(), '95도'),
    JUDGED,
  ],
  ['a response', [200, response(said)], (c) => c.responses.create(RESPOND), JUDGED],
  [
    'a stream of events',
    stream(...EVENTS),
    (c) => read(c.responses.create({ ...RESPOND, stream: true })),
    JUDGED,
  ],
  [
    'the helper of responses',
    stream(...EVENTS),
    (c) => c.responses.stream(RESPOND).finalResponse(),
    JUDGED,
  ],
  [
    'a prompt of one text',
    [200, response(said)],
    (c) => c.responses.create({ model: 'asked', input: '몇 도?' }),
    { ...JUDGED, history: undefined },
  ],
  [
    'no stream that is left',
    stream(...CHUNKS),
    async (c) => {
      for await (const _ of await c.chat.completions.create({ ...CHAT, stream: true })) break
    },
    null,
  ],
  [
    'no call of a tool',
    completion({ content: '찾아보겠습니다', tool_calls: [TOOL] }),
    (c) => c.chat.completions.create(CHAT),
    null,
  ],
  [
    'no response that ends with the call of a tool',
    [200, response(said, { type: 'function_call', name: 'f', arguments: '{}', call_id: 't' })],
    (c) => c.responses.create(RESPOND),
    null,
  ],
  ['no empty text', completion({ content: ' ' }), (c) => c.chat.completions.create(CHAT), null],
  [
    'no failure',
    [400, { error: { message: 'bad' } }],
    (c) => assert.rejects(c.chat.completions.create(CHAT), /bad/),
    null,
  ],
  [
    'no raw response, whose body stays',
    completion({ content: '95도' }),
    async (c) => {
      const raw = await c.chat.completions.create(CHAT).asResponse()
      assert.equal((await raw.json()).model, 'm1')
    },
    null,
  ],
]) {
  test(`of OpenAI's SDK is judged: ${name}`, async (t) => {
    const { url } = await served(t, reply)
    const taken = []
    const background = { submit: (answer) => taken.push(answer) }
    const client = new OpenAI({ apiKey: 'none', baseURL: url, maxRetries: 0 })
    await call(judged(client, background, { notes: NOTES }))
    assert.deepEqual(
      JSON.parse(JSON.stringify(taken)),
      expected ? [JSON.parse(JSON.stringify(expected))] : [],
    )
    // The client that was given is as it was.
    await client.models.list().catch(() => undefined)
    assert.ok(!Object.hasOwn(client.chat.completions, 'create'))
  })
}

test("an answer of OpenAI's SDK is returned though judging fails, of Azure too", async (t) => {
  const { url } = await served(t, completion({ content: '95도' }))
  const background = {
    submit: () => {
      throw new Error('of ours')
    },
  }
  const azure = { apiKey: 'none', endpoint: url, apiVersion: '1', deployment: 'd' }
  const client = judged(new AzureOpenAI(azure), background, { notes: NOTES, question: '몇 도?' })
  const reply = await client.chat.completions.create(CHAT)
  assert.equal(reply.choices[0].message.content, '95도')
})
