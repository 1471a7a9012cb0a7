import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { Card, CardTitle } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { CLAIM_FILLS } from '@/lib/claimLook'

import { Answer } from '../answer/Answer'
import { NoteText } from '../answer/NoteText'
import { ShownClaim } from '../answer/shownClaim'

import { type Claim, ClaimBadge } from './ClaimList'
import type { OpenNote } from './SourceList'

/** What of the evidence is pointed at: a claim with its quote, or a note. */
export interface Shown {
  claim?: number
  note?: number
  quote?: string | undefined
  /** What is to be scrolled into view; none where only the focus moved. */
  to?: 'answer' | 'note'
}

type Note = Pick<Schema<'SourceView'>, 'note_index' | 'title' | 'content'> &
  Partial<Schema<'SourceView'>>

interface Props {
  answer: string
  lang?: string | undefined
  /** The claims that the judge checked; none where nobody has judged, or it could not be told. */
  groundedness?: { claims: readonly Claim[]; source: 'judge' | 'rules' } | null | undefined
  /** In place of claims. */
  sentences?: readonly { start: number; end: number }[] | undefined
  notes: readonly Note[]
  shown: Shown | null
  onShow: (shown: Shown) => void
  /** An element id of the notes, for links to them. */
  notesId?: string
  /** Above and below the answer, beside a note's title, and below all of it. */
  head?: ReactNode
  foot?: ReactNode
  ofNote?: (note: Note) => ReactNode
  children?: ReactNode
}

const NO_CLAIMS: readonly Claim[] = []

/** An answer and, beside it, the notes that it was given. Each sentence is coloured by its verdict
 * and leads to its quote, each quote to its sentence. */
export function EvidenceView(props: Props) {
  const { answer, lang, groundedness, sentences, notes, shown, onShow } = props
  const { t } = useTranslation('ai')
  const all = useRef<HTMLDivElement>(null)
  const claims = groundedness?.claims ?? NO_CLAIMS
  const claim = claims.find(({ position }) => position === shown?.claim)
  const openNote: OpenNote = useCallback(
    (note, quote) => onShow({ note, quote, to: 'note' }),
    [onShow],
  )
  const openClaim = useCallback(
    ({ position, note_index: note, quote }: Claim, isClick: boolean) =>
      onShow({
        claim: position,
        ...(note !== null && { note, quote }),
        ...(isClick && { to: 'note' }),
      }),
    [onShow],
  )
  useScrolling(all, shown)
  return (
    <div ref={all} className="@container">
      <div className="grid gap-4 @3xl:grid-cols-2 @3xl:grid-rows-[auto_1fr]">
        <Card className="grid content-start gap-3">
          {props.head}
          <div lang={lang}>
            <ShownClaim value={shown?.claim}>
              <Answer
                text={answer}
                noteCount={notes.length}
                onOpenNote={openNote}
                {...(groundedness
                  ? { claims, source: groundedness.source, onClaim: openClaim }
                  : { sentences })}
              />
            </ShownClaim>
          </div>
          {claim && groundedness && (
            <div role="status" className="bg-muted grid gap-1 rounded-md px-3 py-2 text-sm">
              <p>
                <ClaimBadge claim={claim} source={groundedness.source} />
              </p>
              {claim.reasoning && <p>{claim.reasoning}</p>}
            </div>
          )}
          {props.foot}
        </Card>
        <Card
          tabIndex={0}
          id={props.notesId}
          // Several may be open on one page: no landmark.
          role="group"
          data-notes
          aria-label={t('chat.matched')}
          className="scroll-mt-16 @3xl:sticky @3xl:top-18 @3xl:col-start-2 @3xl:row-span-2 @3xl:row-start-1 @3xl:max-h-[calc(100dvh-10rem)] @3xl:self-start @3xl:overflow-y-auto"
        >
          <CardTitle>{t('chat.matched')}</CardTitle>
          {notes.length === 0 && <p className="text-muted-foreground text-sm">{t('noNotes')}</p>}
          <ol lang={lang} className="divide-border grid divide-y">
            {notes.map((note) => (
              <NoteItem
                key={note.note_index}
                {...{ note, shown, claims, onShow }}
                source={groundedness?.source ?? 'judge'}
              >
                {props.ofNote?.(note)}
              </NoteItem>
            ))}
          </ol>
        </Card>
        {props.children && <div className="grid content-start gap-4">{props.children}</div>}
      </div>
    </div>
  )
}

/** A long list of notes scrolls by itself; where it does not, only a click scrolls the page. */
function useScrolling(all: React.RefObject<HTMLDivElement | null>, shown: Shown | null) {
  useEffect(() => {
    if (!shown) return
    const { claim, note, to } = shown
    const find = (selector: string) => all.current?.querySelector<HTMLElement>(selector)
    if (to === 'answer') {
      find(`[data-mark="${claim}"]`)?.scrollIntoView({ block: 'center' })
      return
    }
    const mark = find(`[data-quotes~="${claim ?? 'null'}"]`) ?? find(`[data-note="${note}"]`)
    const list = find('[data-notes]')
    if (!mark || !list) return
    if (list.scrollHeight > list.clientHeight) {
      const below = mark.getBoundingClientRect().top - list.getBoundingClientRect().top
      list.scrollTop += below - list.clientHeight / 3
    } else if (to === 'note') {
      mark.scrollIntoView({ block: 'center' })
    }
  }, [all, shown])
}

interface NoteProps extends Pick<Props, 'shown' | 'onShow'> {
  note: Note
  claims: readonly Claim[]
  source: 'judge' | 'rules'
  children: ReactNode
}

/** One note; folded where the verdict found no use of it. */
function NoteItem({ note, claims, source, shown, onShow, children }: NoteProps) {
  const { t } = useTranslation('ai')
  const { note_index: index, title, content, cited } = note
  const passages = claims
    .filter((claim) => claim.note_index === index && claim.quote && claim.quote_found !== false)
    .map(({ quote, position, verdict }) => ({
      ...{ quote, claim: position, look: CLAIM_FILLS[source][verdict] },
    }))
  const opened = shown?.note === index && shown.claim === undefined ? shown.quote : undefined
  const all = opened
    ? [...passages, { quote: opened, claim: null, look: 'bg-warning-soft' }]
    : passages
  return (
    <li data-note={index} className="scroll-mt-16 py-3 first:pt-0">
      <details open={cited !== false || all.length > 0 || shown?.note === index}>
        <summary className="mb-1 min-h-6 text-sm font-medium">
          {index}. {title || t('noteNumber', { index })}
          {cited !== undefined && (
            <span className="text-muted-foreground font-normal">
              {' '}
              {t(cited ? 'qaSourceCited' : 'qaSourceNotCited')}
            </span>
          )}
        </summary>
        {children}
        <NoteText
          text={content}
          passages={all}
          shown={opened ? null : shown?.claim}
          onClaim={(claim, isClick) =>
            onShow({ claim, note: index, ...(isClick && { to: 'answer' }) })
          }
        />
      </details>
    </li>
  )
}
