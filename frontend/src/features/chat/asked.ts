import type { ChatRequest } from '@/hooks/useAIStream'

/** `notebookId` empty: all notebooks. `conditions` and `medications` are comma-separated. */
const FIELDS = [
  ...(['notebookId', 'profile', 'age', 'sex', 'conditions', 'medications'] as const),
  ...(['major', 'minor'] as const),
]

/** What is asked, and by whom, as it is being written; empty is what is left out. */
export type Asked = Record<(typeof FIELDS)[number], string>

export const NOTHING_ASKED = Object.fromEntries(FIELDS.map((name) => [name, ''])) as Asked

// As the API limits them.
export const MAX_PROFILE = 1000
export const MAX_NAME = 100
export const MAX_CATEGORY = 200
const AGE = /^(?:\d|[1-9]\d|1[0-4]\d|150)$/

export const isAge = (text: string) => AGE.test(text.trim())

/** The options of the request. An age that is none is left out, and its field says so. */
export function chatOptions(asked: Asked): NonNullable<ChatRequest['options']> {
  const profile = asked.profile.trim()
  const [major, minor] = [asked.major.trim(), asked.minor.trim()]
  const slots = {
    ...(isAge(asked.age) && { age: Number(asked.age) }),
    ...(asked.sex.trim() && { sex: asked.sex.trim() }),
    ...several('conditions', asked.conditions),
    ...several('medications', asked.medications),
  }
  return {
    ...(asked.notebookId && { notebook_id: asked.notebookId }),
    ...(profile && { profile }),
    ...(Object.keys(slots).length > 0 && { slots }),
    ...(major && {
      classification: { major_category: major, ...(minor && { minor_category: minor }) },
    }),
  }
}

function several(name: 'conditions' | 'medications', text: string) {
  const values = text
    .split(',')
    .map((value) => value.trim())
    .filter(Boolean)
  return values.length > 0 ? { [name]: values } : {}
}
