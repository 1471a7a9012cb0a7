/** In the order in which they are listed. */
export const GROUPS = ['recent', 'evaluation', 'pages', 'commands', 'questions', 'notes'] as const
export type Group = (typeof GROUPS)[number]

/** Something that can be chosen: a page to go to, by its path below /ui, or something to do. */
export interface Item {
  id: string
  group: Group
  text: string
  action: { to: string } | (() => void)
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** The id in what was typed or pasted, an address for one; null without any. */
export function idIn(text: string): string | null {
  return UUID.exec(text)?.[0].toLowerCase() ?? null
}
