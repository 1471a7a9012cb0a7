import { useTranslation } from 'react-i18next'

import { EmptyState, ErrorState, TextWithCode } from '@/components/page'
import { Button, Spinner, TextLink } from '@/components/ui'
import { useTestCase } from '@/components/useTestCase'
import { usePageKeys } from '@/hooks/useKeys'
import { errorMessage } from '@/lib/errorMessage'

import type { Wanted } from '../api/reservations'

import { Decisions } from './Decisions'
import { Key, KeyHelp } from './KeyHelp'
import { LabelItem } from './LabelItem'
import type { Entry, LabelSession, Snapshot } from './labelSession'
import { LABEL_KEYS, UTILITY_KEYS } from './options'

interface Props {
  session: LabelSession
  snapshot: Snapshot
  source: Wanted['source']
  again: boolean
  hidden: boolean
  keys: boolean
}

/** The answer that is shown, what is said of it, and the way to the next. */
export function LabelView({ session, snapshot, source, again, hidden, keys }: Props) {
  const { t } = useTranslation('evaluations')
  const { entries, at, loading, loadError } = snapshot
  const entry = entries[at]
  const testCase = useTestCase()
  const addToDataset = () => {
    if (!entry) return
    const { evaluation_id: evaluationId, question, lang } = entry.item
    const { label, comment } = entry.draft
    const wanting = label === 'wrong' || label === 'partly'
    testCase.open({ evaluationId, question, lang, ...(wanting && comment && { comment }) })
  }
  const actions = {
    ...Object.fromEntries(
      LABEL_KEYS.map(({ key, value }) => [key, () => session.edit({ label: value })]),
    ),
    ...Object.fromEntries(
      UTILITY_KEYS.map(({ key, value }) => [key, () => session.edit({ utility: value })]),
    ),
    j: () => session.go(1),
    k: () => session.go(-1),
    u: () => session.undo(),
    c: () => document.getElementById('label-comment')?.focus(),
    t: addToDataset,
  }
  usePageKeys(keys ? actions : {})
  const position = positionOf(snapshot)
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-2 text-sm">
        <p className="py-1.5 font-semibold tabular-nums">
          {entry && t('label.position', position)}
        </p>
        <div className="flex flex-wrap gap-2">
          {entry && (
            <Button
              variant="ghost"
              size="sm"
              aria-keyshortcuts={keys ? 't' : undefined}
              onClick={addToDataset}
            >
              {t('testCase.open')}
              {keys && <Key name="t" />}
            </Button>
          )}
          {keys && <KeyHelp />}
        </div>
        {testCase.dialog}
      </div>
      {loadError !== null && <ErrorState error={loadError} onRetry={() => session.load(true)} />}
      {entry ? (
        <LabelItem
          key={entry.item.answer_id}
          entry={entry}
          session={session}
          hidden={hidden}
          keys={keys}
        />
      ) : (
        loadError === null && (loading ? <Spinner /> : <NoMore {...{ snapshot, source, again }} />)
      )}
      {entries.length > 0 && (
        // At the lower edge, so that a thumb reaches it however long answer and notes are.
        <div className="bg-background border-border sticky bottom-0 z-20 -mx-4 grid gap-2 border-t p-3 md:mx-0">
          <Unsaved session={session} entries={entries} />
          <Decisions session={session} snapshot={snapshot} entry={entry} keys={keys} />
        </div>
      )}
      <Announced snapshot={snapshot} />
    </div>
  )
}

/** For whoever does not see it: where one is, and what has been said. */
function Announced({ snapshot }: { snapshot: Snapshot }) {
  const { t } = useTranslation('evaluations')
  const entry = snapshot.entries[snapshot.at]
  const label = entry?.draft.label
  return (
    <>
      <p role="status" className="sr-only">
        {entry && `${t('label.position', positionOf(snapshot))}. ${entry.item.question}`}
      </p>
      <p role="status" className="sr-only">
        {snapshot.undone && t('label.undone')}
        {label && t('label.said', { label: t(`labels.${label}`) })}
      </p>
    </>
  )
}

/** Of all drawn answers, or of the doubtful ones that were left when the server was asked last. */
function positionOf({ entries, at, drawn, remaining, labelledThen }: Snapshot) {
  const number = entries[at]?.item.number
  if (typeof number === 'number' && drawn !== null) return { number, total: drawn }
  return { number: at + 1, total: Math.max(at + 1, labelledThen + remaining) }
}

/** Which labels the server does not have, and why; they are kept until it does. */
function Unsaved({ session, entries }: { session: LabelSession; entries: readonly Entry[] }) {
  const { t } = useTranslation('evaluations')
  const { t: common } = useTranslation()
  const failed = entries.filter(({ error }) => error !== null)
  const [first] = failed
  if (!first) return null
  return (
    <div
      role="alert"
      className="bg-danger-soft text-danger-foreground flex flex-wrap items-center justify-between gap-2 rounded-md p-3 text-sm"
    >
      <p>
        <strong>{t('label.unsaved', { count: failed.length })}</strong>{' '}
        <TextWithCode text={errorMessage(first.error)} /> {t('label.unsavedKept')}
      </p>
      <Button size="sm" onClick={() => session.saveAll()}>
        {common('retry')}
      </Button>
    </div>
  )
}

interface NoMoreProps {
  snapshot: Snapshot
  source: Wanted['source']
  again: boolean
}

/** Why there is nothing to label, and what to do then. */
function NoMore({ snapshot, source, again }: NoMoreProps) {
  const { t } = useTranslation('evaluations')
  const { drawn, remaining, entries } = snapshot
  const chosen = source === 'chosen'
  const here = entries.filter(({ draft }) => draft.label !== null).length
  return (
    <EmptyState
      title={t(here > 0 ? 'label.none.labelled' : 'label.none.title', { count: here })}
      text={t(`label.none.${reasonOf(snapshot, source, again)}`, {
        count: remaining,
        drawn: drawn ?? 0,
      })}
    >
      <TextLink plain to={chosen ? '/evaluations' : '/evaluations?tab=review'}>
        {t(chosen ? 'label.none.toList' : 'label.none.toReview')}
      </TextLink>
    </EmptyState>
  )
}

function reasonOf({ drawn, remaining }: Snapshot, source: Wanted['source'], again: boolean) {
  if (drawn === 0) return 'nothingDrawn'
  if (remaining > 0) return 'elsewhere'
  if (source === 'chosen') return 'nothingChosen'
  if (again) return 'nothingTwice'
  return drawn === null ? 'nothingDoubtful' : 'allDrawn'
}
