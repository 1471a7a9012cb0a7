import { CircleCheck, CircleDashed } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Card, Spinner, TextLink } from '@/components/ui'
import type { OpenNote } from '@/components/verdict/SourceList'
import type { Schema } from '@/lib/api'
import { count } from '@/lib/figures'

import { useSources } from '../api/detail'

interface Props {
  id: string
  /** Whether there is a verdict; nobody knows before which notes the answer uses. */
  judged: boolean
  onOpenNote: OpenNote
}

/** The notes that the answer was given, and what it took from them. */
export function Sources({ id, judged, onOpenNote }: Props) {
  const { t } = useTranslation('evaluations')
  const { data: sources, error, isPending, refetch } = useSources(id, judged)
  return (
    <Card title={t('detail.sources')}>
      {isPending && <Spinner />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {sources?.length === 0 && (
        <p className="text-muted-foreground text-sm">{t('detail.noSources')}</p>
      )}
      <ul className="grid gap-3 text-sm">
        {sources?.map((source) => (
          <li key={source.note_index} className="flex gap-2">
            {!judged ? null : source.cited ? (
              <CircleCheck aria-hidden className="text-success mt-0.5 size-4 shrink-0" />
            ) : (
              <CircleDashed aria-hidden className="text-muted-foreground mt-0.5 size-4 shrink-0" />
            )}
            <Source source={source} judged={judged} onOpenNote={onOpenNote} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface SourceProps extends Omit<Props, 'id'> {
  source: Schema<'SourceView'>
}

function Source({ source, judged, onOpenNote }: SourceProps) {
  const { t } = useTranslation(['evaluations', 'ai'])
  const { note_index: index, note_id: noteId, title, cited, quote, score } = source
  return (
    <div className="grid min-w-0 justify-items-start gap-1">
      <p>
        <span className="font-medium">
          {index}. {title || t('ai:noteNumber', { index })}
        </span>{' '}
        <span className="text-muted-foreground">
          {[
            judged && t(cited ? 'ai:qaSourceCited' : 'ai:qaSourceNotCited'),
            score !== null && t('detail.score', { score: count(score) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </p>
      {source.relevant_claim && <p>{source.relevant_claim}</p>}
      {quote && (
        <blockquote className="text-muted-foreground border-border border-l-2 pl-2">
          {quote}
          {source.quote_found === false && ` (${t('ai:quoteNotFound')})`}
        </blockquote>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          aria-label={t('detail.openSource', { index })}
          onClick={() => onOpenNote(index, quote)}
        >
          {t('detail.asGiven')}
        </Button>
        {noteId !== null && (
          <TextLink plain to={`/notes/${noteId}`}>
            {t('detail.noteNow')}
          </TextLink>
        )}
      </div>
    </div>
  )
}
