import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { EmptyState } from '@/components/EmptyState'

import type { Snapshot } from './labelSession'

/** Why there is nothing to label, and what to do then. */
export function NoMore({ snapshot, again }: { snapshot: Snapshot; again: boolean }) {
  const { t } = useTranslation('evaluations')
  const { drawn, remaining, entries } = snapshot
  const here = entries.filter(({ draft }) => draft.label !== null).length
  return (
    <EmptyState
      title={t(here > 0 ? 'label.none.labelled' : 'label.none.title', { count: here })}
      text={t(`label.none.${reasonOf(drawn, remaining, again)}`, {
        count: remaining,
        drawn: drawn ?? 0,
      })}
    >
      <Link to="/evaluations?tab=review" className="underline underline-offset-2">
        {t('label.none.toReview')}
      </Link>
    </EmptyState>
  )
}

function reasonOf(drawn: number | null, remaining: number, again: boolean) {
  if (drawn === 0) return 'nothingDrawn'
  if (remaining > 0) return 'elsewhere'
  if (again) return 'nothingTwice'
  return drawn === null ? 'nothingDoubtful' : 'allDrawn'
}
