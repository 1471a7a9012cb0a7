import { cn } from '@/lib/cn'

import { findQuote, withoutHeadingMarks } from './Highlighted'
import { RedactedText } from './RedactedText'

/** A passage of a note and the claim that it is about; null where it is about none. */
export interface Passage {
  quote: string
  claim: number | null
  look: string
}

interface Range extends Passage {
  start: number
  end: number
  claims: (number | null)[]
}

/** Where the passages stand, none within another: the first one of them keeps its place and stands
 * for the claims of all. */
function rangesOf(text: string, passages: readonly Passage[]): Range[] {
  const ranges: Range[] = []
  for (const passage of passages) {
    const found = findQuote(text, withoutHeadingMarks(passage.quote))
    if (!found) continue
    const [start, end] = found
    const same = ranges.find((range) => start < range.end && range.start < end)
    if (same) same.claims.push(passage.claim)
    else ranges.push({ ...passage, start, end, claims: [passage.claim] })
  }
  return ranges.sort((a, b) => a.start - b.start)
}

interface Props {
  text: string
  passages: readonly Passage[]
  shown: number | null | undefined
  onClaim: (position: number, isClick: boolean) => void
}

/** The text of a note; each quoted passage leads to its sentence of the answer. */
export function NoteText({ text: written, passages, shown, onClaim }: Props) {
  const text = withoutHeadingMarks(written)
  const ranges = rangesOf(text, passages)
  return (
    <div className="text-sm leading-relaxed whitespace-pre-wrap">
      {ranges.map(({ start, end, claim, claims, look }, index) => (
        <span key={start}>
          <RedactedText text={text.slice(ranges[index - 1]?.end ?? 0, start)} />
          <mark
            data-quotes={claims.join(' ')}
            className={cn(
              'rounded text-inherit',
              look,
              shown !== undefined && claims.includes(shown) && 'outline-ring outline-2',
            )}
          >
            {claim === null ? (
              <RedactedText text={text.slice(start, end)} />
            ) : (
              <span
                role="button"
                tabIndex={0}
                className="cursor-pointer"
                onClick={() => onClaim(claim, true)}
                onFocus={() => onClaim(claim, false)}
                onKeyDown={({ key }) => {
                  if (key === 'Enter') onClaim(claim, true)
                }}
              >
                <RedactedText text={text.slice(start, end)} />
              </span>
            )}
          </mark>
        </span>
      ))}
      <RedactedText text={text.slice(ranges.at(-1)?.end ?? 0)} />
    </div>
  )
}
