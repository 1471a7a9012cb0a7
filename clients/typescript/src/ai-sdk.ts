import type { Answer, Background } from './index.js'

/** For `onFinish` of `streamText` and `generateText` of the AI SDK: has the text judged in the
 * background against the notes that were in its context.
 *
 * @example streamText({ …, onFinish: judgeOnFinish(background, { question, notes }) })
 */
export function judgeOnFinish(background: Background, about: Omit<Answer, 'answer'>) {
  return ({ text, response }: { text: string; response?: { modelId?: string } }): void => {
    if (text.trim() === '') return
    background.submit({ model: response?.modelId ?? null, ...about, answer: text })
  }
}
