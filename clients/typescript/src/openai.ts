import type { Answer, Background } from './index.js'
import { dialogue, field, questionOf, turnsBefore } from './messages.js'

interface Created {
  create: (...given: never[]) => unknown
}

/** What is used of the SDK's clients; `OpenAI` and `AzureOpenAI` of version 5 and newer fit. */
export interface OpenAIClient {
  withOptions(options: object): unknown
  chat: { completions: Created }
  responses: Created
}

/** question: the last user message by default. */
export type About = Omit<Answer, 'question' | 'answer'> & { question?: string }

/** A copy of a client of OpenAI's SDK whose answers are judged in the background against `notes`,
 * whole or streamed: `chat.completions` and `responses`, by `create`, `stream` and `parse`. The copy
 * is made in microseconds: make one for each question. It returns what the SDK returns.
 *
 * Nothing is submitted for a call that fails, for a reply with tool calls or without text, or for a
 * stream that is left before its end.
 *
 * @example judged(openai, background, { notes }).chat.completions.create({ model, messages })
 */
export function judged<Client extends OpenAIClient>(
  client: Client,
  background: Background,
  about: About,
): Client {
  // Those of Azure's client, which it does not copy.
  const azure = {
    apiVersion: field(client, 'apiVersion'),
    deployment: field(client, 'deploymentName'),
  }
  const copy = client.withOptions(azure) as Client
  for (const resource of [copy.chat.completions, copy.responses]) {
    const create = resource.create.bind(resource) as (...given: unknown[]) => unknown
    resource.create = (...given: unknown[]) => {
      const reply = create(...given)
      watch(reply, (value) => observe(value, new Reply(background, about, given[0])))
      return reply
    }
  }
  return copy
}

type Parse = (...given: unknown[]) => Promise<unknown>

/** Looks at what a promise of the SDK is parsed to, once, and not where the caller wants the raw
 * response. The SDK has no public way to do so. */
function watch(reply: unknown, look: (value: unknown) => void): void {
  const parse = field(reply, 'parseResponse') as Parse | undefined
  if (typeof parse !== 'function') return
  Object.assign(reply as object, {
    parseResponse: async (...given: unknown[]) => {
      const value = await parse(...given)
      silently(() => look(value))
      return value
    },
  })
}

function observe(value: unknown, reply: Reply): void {
  const parts = field(value, 'iterator')
  if (typeof parts !== 'function') return reply.take(value, 'message')
  Object.assign(value as object, {
    iterator: async function* () {
      for await (const part of { [Symbol.asyncIterator]: () => parts.call(value) }) {
        silently(() => reply.take(part, 'delta'))
        yield part
      }
    },
  })
}

/** An answer that comes whole or in parts. */
class Reply {
  #text = ''
  #callsTools = false
  #submitted = false

  constructor(
    private readonly background: Background,
    private readonly about: About,
    private readonly asked: unknown,
  ) {}

  /** A completion, a chunk of one, a response, or an event of one. */
  take(part: unknown, message: 'message' | 'delta'): void {
    const response = field(part, 'response') ?? part
    const output = field(response, 'output')
    if (Array.isArray(output)) {
      const ended = ['completed', 'incomplete'].includes(String(field(response, 'status')))
      const [said] = dialogue(output.at(-1))
      if (ended && said) this.#submit(said.text, response)
    }
    const choices = field(part, 'choices')
    for (const choice of Array.isArray(choices) ? choices : []) {
      if (field(choice, 'index') !== 0) continue
      const said = field(choice, message)
      this.#text += (field(said, 'content') as string | null | undefined) ?? ''
      const calls = field(said, 'tool_calls')
      this.#callsTools ||=
        (Array.isArray(calls) && calls.length > 0) || !!field(said, 'function_call')
      if (field(choice, 'finish_reason')) this.#submit(this.#text, part)
    }
  }

  #submit(answer: string, reply: unknown): void {
    const input = field(this.asked, 'messages') ?? field(this.asked, 'input')
    const said = typeof input === 'string' ? [] : dialogue(input)
    const question = this.about.question ?? (typeof input === 'string' ? input : questionOf(said))
    if (this.#submitted || this.#callsTools || !answer.trim() || !question.trim()) return
    this.#submitted = true
    const model = (field(reply, 'model') as string | undefined) ?? null
    const history = turnsBefore(said)
    const turns = history.length > 0 ? { history } : {}
    this.background.submit({ model, ...turns, ...this.about, question, answer })
  }
}

/** Judging must not break the application. */
function silently(work: () => void): void {
  try {
    work()
  } catch {
    // What the SDK returns in a later version may have another form.
  }
}
