import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'
import type { Schema } from '@/lib/api'
import { localDate, localTime } from '@/lib/figures'

interface Props {
  note: Schema<'NoteSummary'>
  notebook: string | undefined
}

/** Where a note belongs, its tags and when it changed. */
export function NoteFacts({ note, notebook }: Props) {
  const { t } = useTranslation('notes')
  const place = [notebook, note.category, note.subcategory].filter(Boolean).join(' › ')
  return (
    <div className="text-muted-foreground flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      {place && <span>{place}</span>}
      <time dateTime={note.updated_at} title={localTime(note.updated_at)}>
        {t('changed', { date: localDate(note.updated_at) })}
      </time>
      {note.tags.length > 0 && (
        <ul aria-label={t('tags')} className="flex flex-wrap gap-1">
          {note.tags.map((tag) => (
            <li key={tag}>
              <Badge className="whitespace-normal">{tag}</Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
