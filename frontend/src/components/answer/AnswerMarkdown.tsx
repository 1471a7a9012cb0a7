import { type ComponentProps, memo, type ReactNode, useDeferredValue, useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import Markdown, { type Components, type ExtraProps } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import type {} from 'remark-parse'
import type { Processor } from 'unified'

import { Table, Td, Th } from '@/components/ui'
import type { CLAIM_FILLS } from '@/lib/claimLook'

import type { Claim } from '../verdict/ClaimList'
import type { OpenNote } from '../verdict/SourceList'

import { type ClaimLink, ClaimMark } from './ClaimMark'
import { RedactedMark } from './RedactedText'
import { answerMarks } from './answerMarks'
import { utf16Offset } from './offsets'

/**
 * A remark plugin: HTML is text like any other, and `[노트 1]: …` at the start of a line is no
 * definition, which would hide that line and turn all marks of the note into links.
 */
function withoutHtml(this: Processor): void {
  const data = this.data()
  data.micromarkExtensions ??= []
  data.micromarkExtensions.push({ disable: { null: ['htmlFlow', 'htmlText', 'definition'] } })
}

interface Props {
  text: string
  noteCount?: number
  claims?: readonly Claim[]
  /** Marked all alike, in place of claims; places in code points, as the API counts them. */
  sentences?: readonly { start: number; end: number }[] | undefined
  onOpenNote?: OpenNote
  /** With it all claims are marked, and lead to their quotes. */
  onClaim?: (claim: Claim, isClick: boolean) => void
  /** Who checked the claims. */
  source?: keyof typeof CLAIM_FILLS
}

const NO_CLAIMS: readonly Claim[] = []
// Each is looked for from the start of the text.
const MAX_SENTENCES = 300

/** An answer: Markdown without HTML and pictures, its marks of notes as buttons, and what nothing
 * bears out underlined. */
export const AnswerMarkdown = memo(function AnswerMarkdown({
  text: newest,
  noteCount = 0,
  claims = NO_CLAIMS,
  sentences,
  onOpenNote,
  onClaim,
  source = 'judge',
}: Props) {
  // While chunks rush in, the page stays quick and shows the newest it has time for.
  const text = useDeferredValue(newest)
  const id = useId()
  const marked = useMemo(
    () =>
      claims.filter(
        ({ verdict, start }) =>
          start !== null && (onClaim !== undefined || verdict !== 'supported'),
      ),
    [claims, onClaim],
  )
  const stretches = useMemo(
    () =>
      (sentences?.slice(0, MAX_SENTENCES) ?? marked).map(({ start, end }, claim) => ({
        start: utf16Offset(text, start ?? 0),
        end: utf16Offset(text, end ?? 0),
        claim,
      })),
    [marked, sentences, text],
  )
  const alike = sentences !== undefined
  const components = useMemo(
    () => ({
      ...COMPONENTS,
      ...marksOf(marked, onOpenNote, onClaim && { onClaim, source }),
      ...(alike && { mark: Sentence }),
    }),
    [marked, alike, onOpenNote, onClaim, source],
  )
  return (
    <div className="answer">
      <Markdown
        remarkPlugins={[withoutHtml, remarkGfm]}
        remarkRehypeOptions={{ clobberPrefix: `${id}-` }}
        rehypePlugins={[[answerMarks, { source: text, stretches, noteCount }]]}
        components={components}
        urlTransform={safeUrl}
      >
        {text}
      </Markdown>
    </div>
  )
})

function marksOf(
  marked: readonly Claim[],
  onOpenNote: OpenNote | undefined,
  link: ClaimLink | undefined,
): Components {
  return {
    button: ({ node, children }: ComponentProps<'button'> & ExtraProps) => (
      <NoteMark index={Number(node?.properties.dataNote)} onOpenNote={onOpenNote}>
        {children}
      </NoteMark>
    ),
    mark: ({ node, children }: ComponentProps<'mark'> & ExtraProps) => (
      <ClaimMark
        claim={marked[Number(node?.properties.dataClaim)]}
        link={link}
        last={node?.properties.dataLast === true}
      >
        {children}
      </ClaimMark>
    ),
  }
}

function Sentence({ children }: ComponentProps<'mark'>) {
  return (
    <mark className="decoration-muted-foreground bg-transparent text-inherit underline decoration-dotted underline-offset-4">
      {children}
    </mark>
  )
}

/** http, https and addresses of this server; anything else loses its address. */
function safeUrl(url: string): string {
  if (/^https?:\/\//i.test(url)) return url
  return /^[^/?#]*:/.test(url) || url.startsWith('//') ? '' : url
}

// Below the heading of the message, so that the outline of the page stays in order.
const COMPONENTS: Components = {
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  h6: 'h6',
  img: ({ alt }) => <>{alt}</>,
  kbd: ({ children }) => <RedactedMark mark={children as string} />,
  a: ({ href, children }) =>
    href ? (
      <a href={href} target={href.startsWith('#') ? undefined : '_blank'} rel="noreferrer">
        {children}
      </a>
    ) : (
      <>{children}</>
    ),
  table: ({ children }) => <Table>{children}</Table>,
  th: ({ children }) => <Th>{children}</Th>,
  td: ({ children }) => <Td>{children}</Td>,
}

interface NoteMarkProps {
  index: number
  children: ReactNode
  onOpenNote: OpenNote | undefined
}

/** `[노트 n]` in an answer; opens the note. */
function NoteMark({ index, children, onOpenNote }: NoteMarkProps) {
  const { t } = useTranslation('ai')
  if (!onOpenNote) return <>{children}</>
  const name = t('openNote', { index })
  const seen = typeof children === 'string' ? children : ''
  return (
    <button
      type="button"
      aria-label={holds(name, seen) ? name : `${seen} ${name}`}
      className="bg-accent text-accent-foreground mx-0.5 inline-block min-h-6 min-w-6 rounded px-1 text-[0.85em] whitespace-nowrap hover:underline"
      onClick={() => onOpenNote(index)}
    >
      {children}
    </button>
  )
}

/** Whether a name says what is seen, so that the button can be called by either; an answer may be in
 * another language than the page. */
function holds(name: string, seen: string): boolean {
  const words = seen.replaceAll(/[^\p{L}\p{N} ]/gu, '')
  return name.toLowerCase().includes(words.toLowerCase())
}
