import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { FORMATS } from '../api/datasets'

export function ExportLinks({ dataset }: { dataset: Schema<'DatasetView'> }) {
  const { t } = useTranslation('runs')
  const { id, name, version } = dataset
  return (
    <ul className="flex flex-wrap gap-x-3">
      {FORMATS.map((format) => (
        <li key={format}>
          <a
            className="text-primary inline-block py-1 text-xs uppercase underline underline-offset-2"
            href={`/evaluation/datasets/${id}/export?format=${format}`}
            download={`${name}-v${version}.${format}`}
            aria-label={t('datasets.exportAs', { name, version, format: format.toUpperCase() })}
          >
            {format}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Where the questions are from, and whether a person has looked at them. */
export function ReviewState({
  dataset: { review, origin },
}: {
  dataset: Pick<Schema<'DatasetView'>, 'review' | 'origin'>
}) {
  const { t } = useTranslation('runs')
  if (origin.kind === 'answers') return <Badge variant="info">{t('datasets.answers')}</Badge>
  if (review === 'proposed') return <Badge variant="warning">{t('datasets.proposed')}</Badge>
  if (review === 'accepted') return <Badge variant="success">{t('datasets.accepted')}</Badge>
  return <Badge>{t('datasets.brought')}</Badge>
}
