import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { EmptyState } from '@/components/page'

import type { Wanted } from '../api/reservations'

import type { Snapshot } from './labelSession'

interface Props {
  snapshot: Snapshot
  source: Wanted['source']
  again: boolean
}

/** Why there is nothing to label, and what to do then. */
export function NoMore({ snapshot, source, again }: Props) {
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
      <Link
        to={chosen ? '/evaluations' : '/evaluations?tab=review'}
        className="underline underline-offset-2"
      >
        {t(chosen ? 'label.none.toList' : 'label.none.toReview')}
      </Link>
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
