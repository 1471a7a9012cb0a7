import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Card, CardTitle, TextLink } from '@/components/ui'
import { EvidenceView, type Shown } from '@/components/verdict/EvidenceView'
import { RulesFinding } from '@/components/verdict/RulesFinding'
import type { OpenNote } from '@/components/verdict/SourceList'
import { VerdictWhy } from '@/components/verdict/VerdictWhy'
import { useVerdict } from '@/hooks/useVerdict'
import { groundednessOf } from '@/lib/judge'
import type { EvaluationView } from '@/lib/verdict'

import { Key } from './KeyHelp'
import type { Draft, Entry, LabelSession } from './labelSession'
import { UTILITY_KEYS } from './options'

interface Props {
  entry: Entry
  session: LabelSession
  /** The verdict comes after the label; until then not even the browser has it. */
  hidden: boolean
  keys: boolean
}

// What `scroll-mt-16` leaves for the header.
const HEADER_PX = 64

/** Question, answer and notes; the judge's marks and verdict once one has decided. */
export function LabelItem({ entry: { item, draft }, session, hidden, keys }: Props) {
  const { t } = useTranslation('evaluations')
  const top = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<Shown | null>(null)
  const shown = !hidden || draft.label !== null
  const { view, error } = useVerdict(shown ? item.evaluation_id : null)
  useEffect(() => {
    // One longer than the window counts as nearest wherever the one before was left.
    const above = (top.current?.getBoundingClientRect().top ?? 0) < HEADER_PX
    top.current?.scrollIntoView({ block: above ? 'start' : 'nearest' })
  }, [])
  return (
    <div ref={top} className="scroll-mt-16">
      <EvidenceView
        answer={item.answer}
        lang={item.lang}
        notes={item.notes}
        notesId="evidence-notes"
        groundedness={shown ? groundednessOf(view) : null}
        sentences={item.sentences}
        shown={opened}
        onShow={setOpened}
        head={
          <h2 className="font-semibold whitespace-pre-wrap" lang={item.lang}>
            {item.question}
          </h2>
        }
        foot={
          <a href="#evidence-notes" className="text-sm underline underline-offset-2 lg:hidden">
            {t('label.toNotes', { count: item.notes.length })}
          </a>
        }
      >
        <LabelDetails draft={draft} session={session} keys={keys} />
        {shown && view && (
          <LabelVerdict
            view={view}
            onOpenNote={(note, quote) => setOpened({ note, quote, to: 'note' })}
          />
        )}
        {shown && error && <ErrorState error={error} />}
      </EvidenceView>
    </div>
  )
}

/** What the judge says of the answer. */
function LabelVerdict({ view, onOpenNote }: { view: EvaluationView; onOpenNote: OpenNote }) {
  const { t } = useTranslation('evaluations')
  return (
    <Card aria-label={t('detail.verdict')} className="grid gap-4">
      <CardTitle className="mb-0">{t('detail.verdict')}</CardTitle>
      <VerdictWhy verdict={view} onOpenNote={onOpenNote} withoutSources />
      <RulesFinding verdict={view} besideEvidence />
      <TextLink plain to={`/evaluations/${view.id}`} className="text-sm">
        {t('label.toVerdict')}
      </TextLink>
    </Card>
  )
}

interface LabelDetailsProps {
  draft: Draft
  session: LabelSession
  keys: boolean
}

/** What one may say beside the label. */
function LabelDetails({ draft, session, keys }: LabelDetailsProps) {
  const { t } = useTranslation('evaluations')
  const id = useId()
  const { label, utility, comment } = draft
  return (
    <Card className="grid gap-3 text-sm">
      <div role="group" aria-labelledby={id} className="flex flex-wrap items-center gap-2">
        <span id={id} className="font-medium">
          {t('label.utility')}
        </span>
        {UTILITY_KEYS.map(({ key, value }) => (
          <Button
            key={value}
            size="sm"
            pressed={utility === value}
            onClick={() => session.edit({ utility: utility === value ? null : value })}
          >
            {t(`utilities.${value}`)}
            {keys && <Key name={key} />}
          </Button>
        ))}
      </div>
      <div className="grid gap-1">
        <label htmlFor="label-comment" className="font-medium">
          {t('feedback.comment')} {keys && <Key name="c" />}
        </label>
        <textarea
          id="label-comment"
          rows={1}
          maxLength={4000}
          defaultValue={comment}
          className="bg-card border-input min-h-10 w-full rounded-md border px-3 py-2"
          onChange={({ target }) => session.write({ comment: target.value })}
          onBlur={({ target }) => session.edit({ comment: target.value.trim() })}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Escape') currentTarget.blur()
          }}
        />
      </div>
      {label === null && (utility !== null || comment !== '') && (
        <p className="text-muted-foreground">{t('label.storedWithLabel')}</p>
      )}
    </Card>
  )
}
