import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { ErrorState } from '@/components/page'
import { Spinner } from '@/components/ui'

import { usePassages } from '../api/datasets'

interface Props {
  datasetId: string
  chunkIds: readonly string[]
}

/** The passages that answer a question, as plain text. */
export function CasePassages({ datasetId, chunkIds }: Props) {
  const { t } = useTranslation('runs')
  const { data, error, refetch } = usePassages(datasetId)
  if (error) return <ErrorState error={error} onRetry={() => refetch()} />
  if (!data) return <Spinner />
  const passages = data.filter(({ id }) => chunkIds.includes(id))
  return (
    <div>
      <h3 className="mb-1 text-sm font-medium">{t('review.passage')}</h3>
      {passages.length === 0 && <p className="text-warning text-sm">{t('review.gone')}</p>}
      {passages.map(({ id, note_id, title, content }) => (
        <figure key={id} className="bg-muted rounded-md p-3 text-sm">
          <blockquote className="whitespace-pre-wrap">{content}</blockquote>
          <figcaption className="mt-2">
            <Link className="text-primary underline underline-offset-2" to={`/notes/${note_id}`}>
              {title}
            </Link>
          </figcaption>
        </figure>
      ))}
    </div>
  )
}
