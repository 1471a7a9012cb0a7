import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { ErrorState } from '@/components/page'
import { TextLink } from '@/components/ui'
import { EvidenceView, type Shown } from '@/components/verdict/EvidenceView'
import { RefinedAnswer } from '@/components/verdict/RefinedAnswer'
import { useRefinement } from '@/hooks/useRefinement'
import { useSources } from '@/hooks/useSources'
import { count } from '@/lib/figures'
import { groundednessOf } from '@/lib/judge'
import type { EvaluationView } from '@/lib/verdict'

import { ATTRIBUTES } from '../filters'
import { moment } from '../scores'

import { VerdictCard } from './VerdictCard'

interface Props {
  view: EvaluationView
  /** What stands below the verdict. */
  children?: ReactNode
}

/** The answer beside its notes, with all that the verdict says of it. */
export function Evidence({ view, children }: Props) {
  const { t } = useTranslation('ai')
  const [shown, setShown] = useState<Shown | null>(null)
  const judged = view.qa_evaluation !== null
  const { data: sources, error, refetch } = useSources(view.id, judged)
  // Nobody knows before the verdict which notes the answer uses.
  const notes = sources?.map(({ cited, ...note }) => ({ ...note, ...(judged && { cited }) })) ?? []
  return (
    <div className="grid min-w-0 gap-4">
      {view.current_id !== view.id && (
        <p className="bg-warning-soft text-warning-foreground rounded-md p-3 text-sm">
          {t('verdict.judgedAgain')}{' '}
          <Link to={`/evaluations/${view.current_id}`} className="font-medium underline">
            {t('verdict.toCurrent')}
          </Link>
        </p>
      )}
      <EvidenceView
        answer={view.answer}
        lang={view.lang}
        groundedness={groundednessOf(view)}
        notes={notes}
        shown={shown}
        onShow={setShown}
        ofNote={(note) => <NoteFacts {...note} />}
        head={
          <>
            <h2 className="font-semibold whitespace-pre-wrap" lang={view.lang}>
              {view.question}
            </h2>
            <Turns view={view} />
          </>
        }
        foot={
          <>
            {error && <ErrorState error={error} onRetry={refetch} />}
            <AboutAnswer view={view} />
          </>
        }
      >
        <VerdictCard
          view={view}
          onOpenNote={(note, quote) => setShown({ note, quote, to: 'note' })}
        />
        {children}
      </EvidenceView>
    </div>
  )
}

/** Where the answer comes from, and a better one if there is one. */
function AboutAnswer({ view }: { view: EvaluationView }) {
  const { t } = useTranslation('evaluations')
  const better = useRefinement(view.refinement)
  return (
    <>
      <p className="text-muted-foreground text-sm">
        {t(`options.feature.${view.feature as 'search_qa'}`, { defaultValue: view.feature })} ·{' '}
        {moment(view.created_at)}
      </p>
      <AnswerAttributes view={view} />
      {better && (
        <RefinedAnswer
          first={view.answer}
          refined={better.answer}
          lift={better.lift}
          titles={better.documents.map(({ title }) => title)}
        />
      )}
    </>
  )
}

/** How well the note was found, and the note as it is now. */
function NoteFacts({ note_id: id, score }: { note_id?: string | null; score?: number | null }) {
  const { t } = useTranslation('evaluations')
  return (
    <p className="text-muted-foreground mb-1 flex flex-wrap gap-x-3 text-sm empty:hidden">
      {typeof score === 'number' && <span>{t('detail.score', { score: count(score) })}</span>}
      {id && (
        <TextLink plain to={`/notes/${id}`}>
          {t('detail.noteNow')}
        </TextLink>
      )}
    </p>
  )
}

/** What the question was understood as, and the turns before it that the judge was shown. */
function Turns({ view }: { view: EvaluationView }) {
  const { t } = useTranslation('evaluations')
  const { history, standalone_question: understood } = view
  if (history.length === 0) return null
  return (
    <div className="grid gap-2 text-sm">
      {understood && (
        <p>
          <span className="text-muted-foreground">{t('turns.understood')}</span>{' '}
          <span lang={view.lang}>{understood}</span>
        </p>
      )}
      <details>
        <summary className="text-muted-foreground w-fit cursor-pointer">
          {t('turns.title', { count: history.length })}
        </summary>
        <p className="text-muted-foreground mt-2">{t('turns.noEvidence')}</p>
        <ol className="border-border mt-2 grid gap-3 border-l-2 pl-3">
          {history.map(({ question, answer }, at) => (
            // Turns never change.
            <li key={at} className="grid gap-1 wrap-anywhere whitespace-pre-wrap">
              <p className="font-medium">{question}</p>
              <p className="text-muted-foreground">{answer}</p>
            </li>
          ))}
        </ol>
      </details>
    </div>
  )
}

type Attribute = (typeof ATTRIBUTES)[number]

const HASH = 'hmac:'

/** What the application said of the answer; each leads to all answers of which it said the same. */
function AnswerAttributes({ view }: { view: EvaluationView }) {
  const { t } = useTranslation('evaluations')
  const given = attributesOf(view)
  if (given.length === 0) return null
  return (
    <dl aria-label={t('attributes.title')} className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {given.map(([name, label, value]) => (
        <div key={`${name} ${value}`} className="flex max-w-full min-w-0 gap-1">
          <dt className="text-muted-foreground shrink-0">{label ?? t(`filters.${name}`)}:</dt>
          <dd
            className="min-w-0 truncate"
            title={value.startsWith(HASH) ? t('attributes.hashed') : value}
          >
            <Link
              to={`/evaluations?${new URLSearchParams({ [name]: label ? `${label}=${value}` : value })}`}
              className="underline"
            >
              {value.startsWith(HASH) ? `${value.slice(0, HASH.length + 8)}…` : value}
            </Link>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** By filter, the key where it is the application's own, and the value. */
function attributesOf(view: EvaluationView): [Attribute, string | null, string][] {
  const known = (['app_version', 'environment', 'user_ref', 'session_id'] as const).flatMap(
    (name): [Attribute, null, string][] => (view[name] === null ? [] : [[name, null, view[name]]]),
  )
  const tags = view.tags.map((tag): [Attribute, null, string] => ['tag', null, tag])
  const own = Object.entries(view.attributes).map(([key, value]): [Attribute, string, string] => [
    'attribute',
    key,
    String(value),
  ])
  return [...known, ...tags, ...own]
}
