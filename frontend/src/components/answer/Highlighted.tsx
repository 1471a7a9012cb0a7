import { useEffect, useRef } from 'react'

import { RedactedText } from './RedactedText'

/** Where `quote` stands in `text`, whatever the white space; null when it does not. */
export function findQuote(text: string, quote: string): [start: number, end: number] | null {
  const words = quote.trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return null
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+')
  const found = new RegExp(pattern).exec(text)
  return found && [found.index, found.index + found[0].length]
}

export const withoutHeadingMarks = (text: string) => text.replace(/^#{1,6} +/gm, '')

interface Props {
  text: string
  quote?: string | undefined
}

/** The text of a note but for the marks of Markdown's headings, with the quote marked and scrolled
 * to. */
export function Highlighted({ text: written, quote = '' }: Props) {
  const mark = useRef<HTMLElement>(null)
  const text = withoutHeadingMarks(written)
  const found = findQuote(text, withoutHeadingMarks(quote))
  useEffect(() => {
    mark.current?.scrollIntoView({ block: 'center' })
  }, [text, quote])
  const [start, end] = found ?? [0, 0]
  return (
    <div className="text-sm leading-relaxed whitespace-pre-wrap">
      <RedactedText text={text.slice(0, start)} />
      {found && (
        <mark ref={mark} className="bg-warning-soft text-warning-foreground rounded">
          <RedactedText text={text.slice(start, end)} />
        </mark>
      )}
      <RedactedText text={text.slice(end)} />
    </div>
  )
}
