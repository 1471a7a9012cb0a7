import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { ErrorState } from '@/components/page'
import { Badge, Spinner } from '@/components/ui'

import { useCasePassages } from '../api/runs'

/** What the search found for a question, and what it missed. */
export function FoundPassages({ runId, caseId }: { runId: string; caseId: string }) {
  const { t } = useTranslation('runs')
  const { data, error, refetch } = useCasePassages(runId, caseId)
  if (error) return <ErrorState error={error} onRetry={() => refetch()} />
  if (!data) return <Spinner />
  return (
    <div>
      <h3 className="mb-2 font-medium">{t('cases.context')}</h3>
      {data.length === 0 && <p className="text-muted-foreground">{t('cases.noPassages')}</p>}
      <ol className="grid gap-2">
        {data.map(({ id, rank, answers, note_id, title, content }) => (
          <li key={id} className="bg-muted rounded-md p-3">
            <div className="mb-1 flex flex-wrap items-center gap-2">
              {rank === null ? (
                <Badge variant="danger">{t('cases.missed')}</Badge>
              ) : (
                <Badge variant="info">{t('cases.rank', { rank })}</Badge>
              )}
              {answers && rank !== null && <Badge variant="success">{t('cases.relevant')}</Badge>}
              <Link className="text-primary underline underline-offset-2" to={`/notes/${note_id}`}>
                {title}
              </Link>
            </div>
            <p className="whitespace-pre-wrap">{content}</p>
          </li>
        ))}
      </ol>
    </div>
  )
}
