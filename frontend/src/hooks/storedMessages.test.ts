import { beforeEach, expect, it } from 'vitest'

import { newUuid } from '@/lib/uuid'
import { verdictOf } from '@/lib/verdict'

import { newMessage, withStored, type AIMessage } from './answerMessage'
import { messagesOf, move } from './conversations'

const CONVERSATION = newUuid()
const VERDICT = verdictOf({ id: 'e1', status: 'queued', reason: null, error: null })

function message(id: string, changes: Partial<AIMessage> = {}): AIMessage {
  const options = { conversation_id: CONVERSATION }
  const asked = newMessage(id, { content: id, feature: 'search_qa', options })
  return { ...asked, state: 'complete', open: false, ...changes }
}
const ids = (messages: readonly AIMessage[]) => messages.map(({ id }) => id)

beforeEach(() => {
  sessionStorage.clear()
})

it('shows what the server has, then what the tab has, and nothing twice', () => {
  const stored = ['a1', 'a2', 'a3'].map((id) => message(id, { answerId: id, verdict: VERDICT }))
  const judged = message('m2', { answerId: 'a2', verdict: VERDICT })
  const broken = message('m3', { answerId: 'a3' })
  const stopped = message('m4', { state: 'stopped' })
  const streaming = message('m5', { state: 'streaming', open: true, answerId: 'a5' })

  const shown = withStored(stored, [judged, broken, stopped, streaming])

  expect(ids(shown)).toEqual(['a1', 'a3', 'm2', 'm4', 'm5'])
})

it('gives what a tab had before there were addresses to the conversation that begins', () => {
  const tab = newUuid()
  const earlier = message('m1', { verdict: VERDICT, request: { content: '전에', options: {} } })
  sessionStorage.setItem(`searchqa.conversation.${tab}`, JSON.stringify([earlier]))

  move(tab, CONVERSATION)

  expect(ids(messagesOf(CONVERSATION))).toEqual(['m1'])
  expect(messagesOf(tab)).toEqual([])
  expect(Object.keys(sessionStorage)).toEqual([`searchqa.conversation.${CONVERSATION}`])
})

it('keeps in the tab what the server has not', () => {
  const other = newUuid()
  const mixed = [message('m1', { verdict: VERDICT }), message('m2', { state: 'failed' })]
  sessionStorage.setItem(`searchqa.conversation.${other}`, JSON.stringify(mixed))
  expect(messagesOf(other)).toHaveLength(2)

  window.dispatchEvent(new Event('pagehide'))

  const kept = JSON.parse(
    sessionStorage.getItem(`searchqa.conversation.${other}`) ?? '',
  ) as AIMessage[]
  expect(ids(kept)).toEqual(['m2'])
})

it('makes UUIDs of version 4', () => {
  for (let times = 0; times < 20; times++) {
    expect(newUuid()).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  }
})
