// The callback with LangChain.js itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Document } from '@langchain/core/documents'
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import { StringOutputParser } from '@langchain/core/output_parsers'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { BaseRetriever } from '@langchain/core/retrievers'
import { RunnableLambda, RunnablePassthrough, RunnableSequence } from '@langchain/core/runnables'
import { FakeListChatModel } from '@langchain/core/utils/testing'

import { judgeRuns } from '../dist/langchain.js'

const FOUND = [
  new Document({ pageContent: '변성은\0 95도', metadata: { title: 'PCR' } }),
  new Document({ pageContent: ' ' }),
  new Document({ pageContent: '변성은 95도', metadata: { source: 'PCR' } }),
]
const NOTES = [{ title: 'PCR', content: '변성은 95도' }]
const JUDGED = { model: null, question: '몇 도?', answer: '95도', notes: NOTES }
const model = new FakeListChatModel({ responses: ['95도'] })
const prompt = ChatPromptTemplate.fromTemplate('{context} {question}')

class Retriever extends BaseRetriever {
  lc_namespace = ['test']
  constructor(find) {
    super()
    this.find = find
  }
  _getRelevantDocuments(query, runManager) {
    return this.find(query, runManager)
  }
}

const retriever = new Retriever(async () => FOUND)
const outer = new Retriever(async (query, manager) => {
  await new Retriever(async () => [new Document({ pageContent: 'of the inner one' })]).invoke(
    query,
    { callbacks: manager?.getChild() },
  )
  return FOUND
})
const over = (context) =>
  RunnableSequence.from([
    { context, question: new RunnablePassthrough() },
    prompt,
    model,
    new StringOutputParser(),
  ])
const chain = over(retriever)
const fails = RunnableSequence.from([
  retriever,
  RunnableLambda.from(() => {
    throw new Error('of the chain')
  }),
])
const graph = RunnableLambda.from(async ({ messages }, config) => {
  await retriever.invoke('x', config)
  return { messages: [...messages, await model.invoke(messages, config)] }
})
const messages = [new HumanMessage('무엇을?'), new AIMessage('PCR'), new HumanMessage('몇 도?')]

for (const [name, run, expected] of [
  ['a chain', (config) => chain.invoke('몇 도?', config), JUDGED],
  [
    'a stream',
    async (config) => {
      let read = ''
      for await (const part of await chain.stream('몇 도?', config)) read += part
      assert.equal(read, '95도')
    },
    JUDGED,
  ],
  ['the outer one of two retrievers', (config) => over(outer).invoke('몇 도?', config), JUDGED],
  [
    'messages with their history',
    (config) => graph.invoke({ messages }, config),
    { ...JUDGED, history: [{ question: '무엇을?', answer: 'PCR' }] },
  ],
  [
    'documents of the input, and a model that names itself',
    (config) =>
      RunnableLambda.from(async (input, inner) => {
        const metadata = { ls_model_name: 'm1' }
        return { answer: await model.invoke(input.question, { ...inner, metadata }) }
      }).invoke({ question: '몇 도?', context: FOUND }, config),
    { ...JUDGED, model: 'm1' },
  ],
  [
    'an answer to a search that found nothing',
    (config) => over(new Retriever(async () => [])).invoke('몇 도?', config),
    { ...JUDGED, notes: [] },
  ],
  [
    'no chain without documents',
    (config) => model.pipe(new StringOutputParser()).invoke('몇 도?', config),
    null,
  ],
  ['no chain that fails', (config) => assert.rejects(fails.invoke('몇 도?', config)), null],
  [
    'no stream that is left',
    async (config) => {
      for await (const _ of await chain.stream('몇 도?', config)) break
    },
    null,
  ],
]) {
  test(`of LangChain.js is judged: ${name}`, async () => {
    const taken = []
    await run({ callbacks: [judgeRuns({ submit: (answer) => taken.push(answer) })] })
    assert.deepEqual(taken, expected ? [expected] : [])
  })
}

test('runs of LangChain.js that go on at once are told apart', async () => {
  const taken = []
  const callbacks = [
    judgeRuns({ submit: (answer) => taken.push(answer.question) }, { app_version: '2' }),
  ]
  const asked = Array.from({ length: 20 }, (_, number) => `${number}도?`)
  await Promise.all(asked.map((question) => chain.invoke(question, { callbacks })))
  assert.deepEqual(taken.sort(), asked.sort())
})

test('a text that a tool returns is not taken apart into its characters', (t) => {
  const callback = judgeRuns({ submit: () => {} })
  callback.handleChainStart({}, '몇 도?', 'root')
  callback.handleToolStart({}, 'x', 'tool', 'root')
  const values = t.mock.method(Object, 'values')
  callback.handleToolEnd('abc', 'tool')
  assert.deepEqual(
    values.mock.calls.flatMap((call) => call.arguments),
    [],
  )
})
