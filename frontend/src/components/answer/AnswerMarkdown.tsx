import { memo, useDeferredValue, useId, useMemo, type ComponentProps } from 'react'
import Markdown, { type Components, type ExtraProps } from 'react-markdown'
import remarkGfm from 'remark-gfm'

import { Table, Td, Th } from '@/components/ui'
import type { Claim } from '@/components/verdict/ClaimList'
import type { OpenNote } from '@/components/verdict/SourceList'

import { ClaimMark } from './ClaimMark'
import { NoteMark } from './NoteMark'
import { answerMarks } from './answerMarks'
import { utf16Offset } from './offsets'
import { withoutHtml } from './withoutHtml'

interface Props {
  text: string
  noteCount?: number
  claims?: readonly Claim[]
  /** Marked all alike, in place of claims; places in code points, as the API counts them. */
  sentences?: readonly { start: number; end: number }[] | undefined
  onOpenNote?: OpenNote
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
}: Props) {
  // While chunks rush in, the page stays quick and shows the newest it has time for.
  const text = useDeferredValue(newest)
  const id = useId()
  const doubted = useMemo(
    () => claims.filter(({ verdict, start }) => verdict !== 'supported' && start !== null),
    [claims],
  )
  const stretches = useMemo(
    () =>
      (sentences?.slice(0, MAX_SENTENCES) ?? doubted).map(({ start, end }, claim) => ({
        start: utf16Offset(text, start ?? 0),
        end: utf16Offset(text, end ?? 0),
        claim,
      })),
    [doubted, sentences, text],
  )
  const alike = sentences !== undefined
  const components = useMemo(
    () => ({ ...COMPONENTS, ...marksOf(doubted, onOpenNote), ...(alike && { mark: Sentence }) }),
    [doubted, alike, onOpenNote],
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

function marksOf(doubted: readonly Claim[], onOpenNote: OpenNote | undefined): Components {
  return {
    button: ({ node, children }: ComponentProps<'button'> & ExtraProps) => (
      <NoteMark index={Number(node?.properties.dataNote)} onOpenNote={onOpenNote}>
        {children}
      </NoteMark>
    ),
    mark: ({ node, children }: ComponentProps<'mark'> & ExtraProps) => (
      <ClaimMark
        claim={doubted[Number(node?.properties.dataClaim)]}
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
