import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Spinner } from '@/components/ui'
import { usePageKeys } from '@/hooks/useKeys'

import type { Wanted } from '../api/reservations'

import { Decisions } from './Decisions'
import { KeyHelp } from './KeyHelp'
import { LabelItem } from './LabelItem'
import { NoMore } from './NoMore'
import { Unsaved } from './Unsaved'
import type { LabelSession, Snapshot } from './labelSession'
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
  }
  usePageKeys(keys ? actions : {})
  const position = positionOf(snapshot)
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-2 text-sm">
        <p className="py-1.5 font-semibold tabular-nums">
          {entry && t('label.position', position)}
        </p>
        {keys && <KeyHelp />}
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
