import type {} from 'remark-parse'
import type { Processor } from 'unified'

/**
 * A remark plugin: HTML is text like any other, and `[노트 1]: …` at the start of a line is no
 * definition, which would hide that line and turn all marks of the note into links.
 */
export function withoutHtml(this: Processor): void {
  const data = this.data()
  data.micromarkExtensions ??= []
  data.micromarkExtensions.push({ disable: { null: ['htmlFlow', 'htmlText', 'definition'] } })
}
