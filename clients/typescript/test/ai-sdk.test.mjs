// The hook with the AI SDK itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { generateText, simulateReadableStream, streamText } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'

import { judgeOnFinish } from '../dist/ai-sdk.js'

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const finishReason = { unified: 'stop', raw: 'stop' }
const model = new MockLanguageModelV3({
  modelId: 'm1',
  doGenerate: async () => ({
    ...{ content: [{ type: 'text', text: '95도' }], finishReason, usage, warnings: [] },
  }),
  doStream: async () => ({
    stream: simulateReadableStream({
      chunks: [
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: '95' },
        { type: 'text-delta', id: '1', delta: '도' },
        { type: 'text-end', id: '1' },
        { type: 'finish', finishReason, usage },
      ],
    }),
  }),
})

for (const [name, run] of [
  ['streamText', async (options) => streamText(options).consumeStream()],
  ['generateText', (options) => generateText(options)],
]) {
  test(`an answer of ${name} of the AI SDK is submitted with its model`, async () => {
    const taken = []
    const onFinish = judgeOnFinish(
      { submit: (answer) => taken.push(answer) },
      { question: '몇 도?' },
    )
    await run({ model, prompt: '몇 도?', onFinish })
    assert.deepEqual(taken, [{ model: 'm1', question: '몇 도?', answer: '95도' }])
  })
}
