import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/PageHeader'
import { useUrlFilters } from '@/hooks/useUrlFilters'

import { LabelOptions } from './LabelOptions'
import { LabelView } from './LabelView'
import { useLabelSession } from './useLabelSession'
import { useLabelSettings } from './useLabelSettings'

/** One answer after another to label, by keys or buttons. */
export function LabelPage() {
  const { t } = useTranslation('evaluations')
  const { params, setFilters } = useUrlFilters()
  const { settings, change } = useLabelSettings()
  const source = params.get('source') === 'doubtful' ? 'doubtful' : 'drawn'
  const again = params.has('again')
  const { session, snapshot } = useLabelSession({ source, again, author: settings.author })
  return (
    <>
      <PageHeader title={t('label.title')} />
      <LabelOptions
        source={source}
        again={again}
        onSource={(next) => {
          setFilters({ source: next === 'drawn' ? undefined : next })
        }}
        onAgain={(next) => {
          setFilters({ again: next ? 'yes' : undefined })
        }}
        author={snapshot.author}
        settings={settings}
        onChange={change}
      />
      <LabelView
        session={session}
        snapshot={snapshot}
        again={again}
        hidden={settings.hidden}
        keys={settings.keys}
      />
    </>
  )
}
