import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'

import { PageHeader } from '@/components/page'
import { useUrlFilters } from '@/hooks/useUrlFilters'

import type { Wanted } from '../api/reservations'

import { LabelOptions } from './LabelOptions'
import { LabelView } from './LabelView'
import { useLabelSession } from './useLabelSession'
import { useLabelSettings } from './useLabelSettings'

const NONE: readonly string[] = []

/** The evaluations that were chosen in the list, as long as this page is open; a link does not have
 * them. */
function useChosen(): readonly string[] {
  const { state } = useLocation() as { state: { evaluationIds?: string[] } | null }
  const [chosen] = useState(state?.evaluationIds ?? NONE)
  return chosen
}

function sourceOf(named: string | null, chosen: readonly string[]): Wanted['source'] {
  if (named === 'chosen' && chosen.length > 0) return named
  return named === 'doubtful' ? named : 'drawn'
}

/** One answer after another to label, by keys or buttons. */
export function LabelPage() {
  const { t } = useTranslation('evaluations')
  const { params, setFilters } = useUrlFilters()
  const { settings, change } = useLabelSettings()
  const chosen = useChosen()
  const source = sourceOf(params.get('source'), chosen)
  // Of chosen answers nothing but one's own label keeps one from being shown.
  const again = source !== 'chosen' && params.has('again')
  const { session, snapshot } = useLabelSession({
    source,
    chosen: source === 'chosen' ? chosen : NONE,
    again,
    author: settings.author,
  })
  return (
    <>
      <PageHeader title={t('label.title')} />
      <LabelOptions
        source={source}
        chosen={chosen.length}
        again={again}
        onSource={(next) => setFilters({ source: next === 'drawn' ? undefined : next })}
        onAgain={(next) => setFilters({ again: next ? 'yes' : undefined })}
        author={snapshot.author}
        settings={settings}
        onChange={change}
      />
      <LabelView
        session={session}
        snapshot={snapshot}
        source={source}
        again={again}
        hidden={settings.hidden}
        keys={settings.keys}
      />
    </>
  )
}
