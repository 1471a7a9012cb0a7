import { create } from 'zustand'

import { streamEvents } from '@/lib/sse'
import { newUuid } from '@/lib/uuid'

import {
  isStored,
  messageAfter,
  messageEnded,
  newMessage,
  type AIMessage,
  type ChatRequest,
} from './answerMessage'

// Conversations outlive the page that shows them, so that an answer goes on while its reader looks
// at another page. They are kept for this tab alone: a reload shows them again, and no other tab
// writes into them. Of a conversation that the server keeps, the tab keeps what the server has not.

const KEPT_MESSAGES = 50
const NONE: readonly AIMessage[] = []

const conversations = new Map<string, readonly AIMessage[]>()
const running = new Map<string, AbortController>()

const storageKey = (conversation: string) => `searchqa.conversation.${conversation}`

// Says that a conversation has changed.
const useChanges = create(() => ({}))

/** The messages of a conversation, the oldest first. */
export const useMessages = (conversation: string) => useChanges(() => messagesOf(conversation))

export function messagesOf(conversation: string): readonly AIMessage[] {
  const known = conversations.get(conversation)
  if (known) return known
  const restored = restore(conversation)
  conversations.set(conversation, restored)
  return restored
}

function restore(conversation: string): readonly AIMessage[] {
  try {
    const stored = sessionStorage.getItem(storageKey(conversation))
    if (stored === null) return NONE
    return (JSON.parse(stored) as AIMessage[]).map((message) => messageEnded(message))
  } catch {
    return NONE
  }
}

function keep(conversation: string): void {
  try {
    const messages = messagesOf(conversation).filter((message) => !isStored(message))
    const key = storageKey(conversation)
    if (messages.length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(messages.slice(-KEPT_MESSAGES)))
  } catch {
    // Without room, or without leave to store, only the reload is lost.
  }
}

/** Gives what one conversation has to another that has nothing yet. */
export function move(from: string, to: string): void {
  const messages = messagesOf(from)
  if (messages.length === 0) return
  set(to, messages)
  set(from, NONE)
}

// Chunks are not kept one by one.
window.addEventListener('pagehide', () => {
  for (const conversation of conversations.keys()) keep(conversation)
})

function set(conversation: string, messages: readonly AIMessage[], { kept = true } = {}): void {
  conversations.set(conversation, messages)
  if (kept) keep(conversation)
  useChanges.setState({}, true)
}

function change(conversation: string, id: string, to: (message: AIMessage) => AIMessage): void {
  const before = messagesOf(conversation)
  const after = before.map((message) => (message.id === id ? to(message) : message))
  const isChunk = after.every(({ state, verdict }, at) => {
    return state === before[at]?.state && verdict === before[at].verdict
  })
  set(conversation, after, { kept: !isChunk || after.every(({ open }) => !open) })
}

/** Asks, and lets go of streams that only wait for a verdict: browsers open few connections to one
 * server, and whoever shows the message goes on waiting in a cheaper way. */
export function ask(conversation: string, request: ChatRequest): void {
  for (const { id, state, verdict } of messagesOf(conversation)) {
    if (state === 'complete' && verdict?.id) stop(id)
  }
  const message = newMessage(newUuid(), request)
  set(conversation, [...messagesOf(conversation), message])
  void run(conversation, message)
}

/** Asks the same again in the place of an answer that broke off. */
export function askAgain(conversation: string, id: string): void {
  const old = messagesOf(conversation).find((message) => message.id === id)
  if (!old || old.open) return
  const message = newMessage(id, old.request)
  change(conversation, id, () => message)
  void run(conversation, message)
}

export function stop(id: string): void {
  running.get(id)?.abort()
}

export function clear(conversation: string): void {
  for (const { id } of messagesOf(conversation)) stop(id)
  set(conversation, NONE)
}

async function run(conversation: string, { id, request }: AIMessage): Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  running.set(id, controller)
  const end = (error?: unknown) => {
    running.delete(id)
    change(conversation, id, (message) => messageEnded(message, error, signal.aborted))
  }
  // Whoever stops need not wait for the network to notice.
  signal.addEventListener('abort', end)
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
    signal,
  }
  let failure: unknown
  try {
    for await (const event of streamEvents('/ai/stream', init)) {
      if (signal.aborted) return
      change(conversation, id, (message) => messageAfter(message, event))
    }
  } catch (error) {
    failure = error
  }
  if (!signal.aborted) end(failure)
}
