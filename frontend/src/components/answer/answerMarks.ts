import type { Element, ElementContent, Root, Text } from 'hast'

import { REDACTED } from './RedactedText'
import { sourceOffsets } from './offsets'

/** A stretch of the answer's Markdown, as UTF-16 offsets, and the number of its claim. */
interface Stretch {
  start: number
  end: number
  claim: number
}

interface Options {
  source: string
  stretches: readonly Stretch[]
  /** How many notes the answer was given: only their marks become buttons. */
  noteCount: number
}

// [노트 1], [Note 2], [노트 1, 노트 3], [1, 2].
const NUMBER = String.raw`(?:(?:노트|note)\s*)?\d{1,3}`
const MARK = new RegExp(String.raw`\[${NUMBER}(?:\s*[,，、]\s*${NUMBER})*\]`, 'gi')

/**
 * A rehype plugin: marks of notes become `<button data-note>`, and the text of claims becomes
 * `<mark data-claim>`. Markdown by itself makes neither of these elements. The last piece of a
 * claim has `data-last`.
 */
export function answerMarks({ source, stretches, noteCount }: Options) {
  return (tree: Root) => {
    const marks: Element[] = []
    const text = (node: Text, inLink: boolean): ElementContent[] => {
      const start = node.position?.start.offset
      const places = start === undefined ? null : sourceOffsets(node.value, source, start)
      // In a link a button would be a control within a control.
      return pieces(node.value, places, stretches, inLink ? 0 : noteCount, marks)
    }
    visit(tree, false, text)
    const lastOf = new Map(marks.map((mark) => [mark.properties.dataClaim, mark]))
    for (const mark of lastOf.values()) mark.properties.dataLast = true
  }
}

type OnText = (node: Text, inLink: boolean) => ElementContent[]

function visit(parent: Root | Element, inLink: boolean, onText: OnText): void {
  const children = (parent.children as ElementContent[]).flatMap((child) => {
    if (child.type === 'text') return onText(child, inLink)
    if (child.type === 'element') visit(child, inLink || child.tagName === 'a', onText)
    return [child]
  })
  parent.children = children
}

function pieces(
  value: string,
  places: number[] | null,
  stretches: readonly Stretch[],
  noteCount: number,
  marks: Element[],
): ElementContent[] {
  const claimAt = (index: number) => {
    const place = places?.[index]
    if (place === undefined) return undefined
    return stretches.find(({ start, end }) => start <= place && place < end)?.claim
  }
  const made: ElementContent[] = []
  let from = 0
  while (from < value.length) {
    const claim = claimAt(from)
    let to = from + 1
    while (to < value.length && claimAt(to) === claim) to++
    const parts = noteMarks(value.slice(from, to), noteCount)
    if (claim === undefined) {
      made.push(...parts)
    } else {
      const mark = element('mark', { dataClaim: claim }, parts)
      marks.push(mark)
      made.push(mark)
    }
    from = to
  }
  return made
}

function noteMarks(value: string, noteCount: number): ElementContent[] {
  const made: ElementContent[] = []
  let from = 0
  for (const match of value.matchAll(MARK)) {
    made.push(...redacted(value.slice(from, match.index)), ...buttons(match[0], noteCount))
    from = match.index + match[0].length
  }
  return [...made, ...redacted(value.slice(from))]
}

/** Marks of personal data become `<kbd>`, which Markdown does not make either. */
function redacted(value: string): ElementContent[] {
  return value
    .split(REDACTED)
    .flatMap((part, index) => (index % 2 ? [element('kbd', {}, plain(part))] : plain(part)))
}

/** `[노트 1, 3]`: a button for each number that a note has; the rest stays text. */
function buttons(mark: string, noteCount: number): ElementContent[] {
  const numbers = [...mark.matchAll(/\d+/g)].map(Number)
  if (numbers.some((number) => number < 1 || number > noteCount)) return plain(mark)
  if (numbers.length === 1) return [element('button', { dataNote: numbers[0] }, plain(mark))]
  return mark
    .split(/([\d]+)/)
    .flatMap((part) =>
      /\d/.test(part) ? [element('button', { dataNote: Number(part) }, plain(part))] : plain(part),
    )
}

const plain = (value: string): ElementContent[] => (value ? [{ type: 'text', value }] : [])

function element(
  tagName: string,
  properties: Element['properties'],
  children: ElementContent[],
): Element {
  return { type: 'element', tagName, properties, children }
}
