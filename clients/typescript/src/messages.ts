/** What the two sides say in messages of LangChain or OpenAI. */
export interface Said {
  asks: boolean
  text: string
  callsTools: boolean
}

const ASKING: unknown[] = ['human', 'user']
const ANSWERING: unknown[] = ['ai', 'AIMessageChunk', 'assistant']
// The server takes no more.
const MAX_TURNS = 10
const MAX_TURN_CHARS = 1_000

/** The field of an object, undefined of anything else. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined
}

export function dialogue(messages: unknown): Said[] {
  return (Array.isArray(messages) ? messages : [messages]).flatMap((message: unknown) => {
    const [role, content] = Array.isArray(message)
      ? (message as unknown[])
      : [roleOf(message), field(message, 'content')]
    const asks = ASKING.includes(role)
    if (!asks && !ANSWERING.includes(role)) return []
    const calls = field(message, 'tool_calls')
    return [{ asks, text: textOf(content), callsTools: Array.isArray(calls) && calls.length > 0 }]
  })
}

function roleOf(message: unknown): unknown {
  const type = field(message, 'getType')
  return (
    field(message, 'role') ??
    (typeof type === 'function' ? type.call(message) : field(message, 'type'))
  )
}

/** Of a message's content: a string, or parts of which some have a text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => (typeof part === 'string' ? part : textOf(field(part, 'text'))))
    .join('')
}

/** The last thing that was asked. */
export function questionOf(said: Said[]): string {
  return said.findLast((one) => one.asks)?.text ?? ''
}

/** The last thing that was said, unless it asks or calls tools. */
export function answerOf(said: Said[]): string {
  const last = said.at(-1)
  return last === undefined || last.asks || last.callsTools ? '' : last.text
}

/** The turns before the last question; what a side says in several messages is one text. */
export function turnsBefore(said: Said[]): { question: string; answer: string }[] {
  const turns: { question: string; answer: string }[] = []
  let asked = false
  for (const { asks, text } of said.slice(
    0,
    Math.max(
      0,
      said.findLastIndex((one) => one.asks),
    ),
  )) {
    if (text.trim() === '') continue
    if (turns.length === 0 || (asks && !asked)) turns.push({ question: '', answer: '' })
    const turn = turns[turns.length - 1]!
    const side = asks ? 'question' : 'answer'
    turn[side] = turn[side] === '' ? text : `${turn[side]}\n${text}`
    asked = asks
  }
  return turns.slice(-MAX_TURNS).map(({ question, answer }) => ({
    question: question.slice(0, MAX_TURN_CHARS),
    answer: answer.slice(0, MAX_TURN_CHARS),
  }))
}
