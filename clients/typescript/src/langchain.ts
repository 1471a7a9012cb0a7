import type { Answer, Background, Note } from './index.js'
import { answerOf, dialogue, field, questionOf, type Said, turnsBefore } from './messages.js'

/** questionKey, answerKey: where inputs and outputs have them, if not under the usual keys; others
 * are sent with each answer. */
export type Options = Omit<Partial<Answer>, 'question' | 'answer' | 'notes' | 'history'> & {
  questionKey?: string
  answerKey?: string
}

interface Root {
  id: string
  inputs: unknown
  model: string | null
  retrieved: boolean
  documents: unknown[]
  /** Documents that steps gave on. */
  returned: unknown[]
  runs: string[]
}

interface Run {
  root: Root
  /** It is a retriever, or within one. */
  retrieves: boolean
  within: boolean
}

const QUESTION_KEYS = ['question', 'query', 'input', 'messages']
const ANSWER_KEYS = ['answer', 'output', 'result', 'messages']
const TITLE_KEYS = ['title', 'name', 'file_name', 'source', 'url', 'file_path']
const MAX_TITLE_CHARS = 500
// Roots that never end, such as streams that are left, are given up beyond these.
const MAX_ROOTS = 1_000

/** A callback of LangChain.js and LangGraph that has each answer judged in the background, with the
 * documents that retrievers returned; one serves all runs, streamed or not. Where there were none,
 * documents of the input or that steps returned are the notes; without any nothing is submitted, nor
 * for a run that fails or a stream that is left.
 *
 * @example chain.invoke(question, { callbacks: [judgeRuns(background)] })
 */
export function judgeRuns(background: Background, options: Options = {}) {
  const { questionKey, answerKey, ...about } = options
  const runs = new Map<string, Run>()
  const roots = new Map<string, Root>()

  function begin(id: string, parent?: string, inputs?: unknown, retriever = false): Root {
    const above = runs.get(parent ?? '')
    const root = above?.root ?? newRoot(id, inputs)
    const within = above?.retrieves ?? false
    runs.set(id, { root, within, retrieves: retriever || within })
    root.runs.push(id)
    if (!above) roots.set(id, root)
    if (roots.size > MAX_ROOTS) release(roots.values().next().value!)
    return root
  }

  function release(root: Root): void {
    roots.delete(root.id)
    for (const id of root.runs) runs.delete(id)
  }

  /** The root, if it is its end. */
  function end(id: string, output?: unknown): Root | null {
    const root = runs.get(id)?.root
    runs.delete(id)
    if (!root) return null
    if (root.id !== id) {
      if (root.documents.length === 0) root.returned.push(...documentsIn(output))
      return null
    }
    release(root)
    return root
  }

  function submit(root: Root, inputs: unknown, outputs: unknown): void {
    const question = textIn(inputs, questionKey ? [questionKey] : QUESTION_KEYS, questionOf)
    const answer = textIn(outputs, answerKey ? [answerKey] : ANSWER_KEYS, answerOf)
    const found = [...root.documents, ...documentsIn(inputs)]
    const documents = found.length > 0 ? found : root.returned
    if (!question.trim() || !answer.trim() || !(root.retrieved || documents.length > 0)) return
    const history = turnsIn(inputs)
    const turns = history.length > 0 ? { history } : {}
    const notes = notesOf(documents)
    background.submit({ model: root.model, ...turns, ...about, question, answer, notes })
  }

  const startModel = (
    _model: unknown,
    _asked: unknown,
    runId: string,
    parentRunId?: string,
    _params?: unknown,
    _tags?: unknown,
    metadata?: unknown,
  ): void => {
    const root = begin(runId, parentRunId)
    root.model = nameOf(field(metadata, 'ls_model_name')) ?? root.model
  }
  const start =
    (retriever: boolean) =>
    (_what: unknown, input: unknown, runId: string, parentRunId?: string): void => {
      begin(runId, parentRunId, input, retriever)
    }
  const fail = (_error: unknown, runId: string): void => void end(runId)

  return {
    // They take microseconds each, and what runs later might be lost with the process.
    awaitHandlers: true,
    handleChainStart: start(false),
    handleToolStart: start(false),
    handleRetrieverStart: start(true),
    handleLLMStart: startModel,
    handleChatModelStart: startModel,
    handleRetrieverEnd(documents: unknown, runId: string): void {
      const run = runs.get(runId)
      if (run && !run.within) {
        run.root.retrieved = true
        run.root.documents.push(...documentsIn(documents))
      }
      end(runId)
    },
    handleLLMEnd(output: unknown, runId: string): void {
      const root = runs.get(runId)?.root
      if (root) root.model = modelOf(output) ?? root.model
      end(runId)
    },
    handleToolEnd: (output: unknown, runId: string): void => void end(runId, output),
    /** kwargs.inputs: of streamed runs, which begin before they know them. */
    handleChainEnd(
      outputs: unknown,
      runId: string,
      _parentRunId?: string,
      _tags?: unknown,
      kwargs?: { inputs?: unknown },
    ): void {
      const root = end(runId, outputs)
      if (root) submit(root, kwargs?.inputs ?? root.inputs, outputs)
    },
    handleChainError: fail,
    handleToolError: fail,
    handleRetrieverError: fail,
    handleLLMError: fail,
  }
}

function newRoot(id: string, inputs: unknown): Root {
  return { id, inputs, model: null, retrieved: false, documents: [], returned: [], runs: [] }
}

/** Those of a list, perhaps paired with scores, or of the lists in an object. */
function documentsIn(value: unknown): unknown[] {
  // Not of a string: Object.values gives its characters.
  if (typeof value !== 'object' || value === null) return []
  const lists = Array.isArray(value) ? [value] : Object.values(value).filter(Array.isArray)
  return lists
    .flat()
    .map((one: unknown) => (Array.isArray(one) ? (one[0] as unknown) : one))
    .filter((one) => typeof field(one, 'pageContent') === 'string')
}

function notesOf(documents: unknown[]): Note[] {
  const notes = documents.map((one) => {
    const titles = TITLE_KEYS.map((key) => nameOf(field(field(one, 'metadata'), key)))
    const title = titles.find((each) => each !== null) ?? ''
    // Text from PDF files often holds NUL, which the server refuses.
    const content = (field(one, 'pageContent') as string).replaceAll('\0', '')
    return { title: title.slice(0, MAX_TITLE_CHARS).replaceAll('\0', ''), content }
  })
  const given = notes.filter(({ content }) => content.trim() !== '')
  return [...new Map(given.map((note) => [JSON.stringify(note), note])).values()]
}

/** An object without any of several keys may have one text. */
function textIn(value: unknown, keys: string[], pick: (said: Said[]) => string): string {
  if (typeof value === 'string') return value
  const said = dialogue(value)
  if (said.length > 0 || Array.isArray(value)) return pick(said)
  const given = keys.map((key) => field(value, key)).filter((part) => part !== undefined)
  const texts = Object.values(value ?? {}).filter((part) => typeof part === 'string')
  const one = given.length === 0 && keys.length > 1 && texts.length === 1 ? texts : given
  for (const part of one) {
    const text = textIn(part, keys, pick)
    if (text !== '') return text
  }
  return ''
}

function turnsIn(inputs: unknown) {
  const earlier = field(inputs, 'chat_history')
  if (Array.isArray(earlier)) return turnsBefore(dialogue([...earlier, ['user', '?']]))
  return turnsBefore(dialogue(field(inputs, 'messages') ?? field(inputs, 'input') ?? inputs))
}

/** For all generations, or in a message's metadata. */
function modelOf(output: unknown): string | null {
  const names = [field(field(output, 'llmOutput'), 'model_name')]
  const generations = field(output, 'generations')
  for (const generation of Array.isArray(generations) ? (generations.flat() as unknown[]) : []) {
    const said = field(field(generation, 'message'), 'response_metadata')
    names.push(field(said, 'model_name'), field(said, 'model'))
  }
  return names.map(nameOf).find((name) => name !== null) ?? null
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}
