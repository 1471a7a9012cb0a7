/** UTF-16 offset of the code point `at` of a text: the API counts code points, as Python does. */
export function utf16Offset(text: string, at: number): number {
  let offset = 0
  for (const character of text) {
    if (at-- <= 0) break
    offset += character.length
  }
  return offset
}

const ENTITY = /^&(?:#x?[0-9a-f]+|[a-z0-9]+);/i

/** Where each UTF-16 unit of `value` stands in `source` from `start` on, and behind the last one
 * where it ends. Markdown leaves out what `value` lacks: backslashes, marks, indents; and an
 * entity is one character. */
export function sourceOffsets(value: string, source: string, start: number): number[] {
  const offsets: number[] = []
  let at = start
  for (let index = 0; index < value.length; index++) {
    const entity = ENTITY.exec(source.slice(at, at + 40))?.[0]
    const decoded = entity !== undefined && !value.startsWith(entity, index)
    if (!decoded) at = Math.max(at, source.indexOf(value.charAt(index), at))
    offsets.push(at)
    const pair = decoded && (value.codePointAt(index) ?? 0) > 0xffff
    if (pair) offsets.push(at)
    if (pair) index++
    at += decoded ? entity.length : 1
  }
  return [...offsets, at]
}
