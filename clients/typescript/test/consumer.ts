// What applications write; compiled against the packed client and the libraries themselves.
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { Background, SearchQA, type Verdict } from '@searchqa/client'
import { judgeOnFinish } from '@searchqa/client/ai-sdk'
import { judgeRuns } from '@searchqa/client/langchain'
import { judged } from '@searchqa/client/openai'
import { useVerdict } from '@searchqa/client/react'
import { generateText, type LanguageModel, streamText } from 'ai'
import OpenAI, { AzureOpenAI } from 'openai'

const client = new SearchQA({ token: async () => 'sq' })
const background = new Background(client)
const about = { question: '몇 도?', notes: ['변성은 95도', { title: 'PCR', content: '95도' }] }

export const chain = new FakeListChatModel({ responses: [] }).withConfig({
  callbacks: [judgeRuns(background, { app_version: '1', answerKey: 'answer' })],
})
export const copies: [OpenAI, AzureOpenAI] = [
  judged(new OpenAI(), background, about),
  judged(new AzureOpenAI(), background, { notes: [] }),
]
export const answered = (model: LanguageModel) => [
  streamText({ model, prompt: '몇 도?', onFinish: judgeOnFinish(background, about) }),
  generateText({ model, prompt: '몇 도?', onFinish: judgeOnFinish(background, about) }),
]
export const shown = (id: string): Verdict | null => useVerdict(client, id).verdict
export const confidence = async (): Promise<'high' | 'medium' | 'low' | null | undefined> =>
  (await client.judge({ ...about, answer: '95도' })).qa_evaluation?.confidence
// @ts-expect-error answers have a text
background.submit({ question: '몇 도?' })
