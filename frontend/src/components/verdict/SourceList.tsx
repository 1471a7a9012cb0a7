import { CircleCheck, CircleDashed } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'

import { Section } from './Section'

export type OpenNote = (noteIndex: number, quote?: string) => void

interface Props {
  sources: readonly Schema<'SourceCoverageView'>[]
  /** Makes the titles buttons. */
  onOpenNote?: OpenNote | undefined
}

/** Which notes the answer cites, and for what. */
export function SourceList({ sources, onOpenNote }: Props) {
  const { t } = useTranslation('ai')
  const cited = sources.filter((source) => source.cited).length
  return (
    <Section title={t('qaSourceCoverage')}>
      <p className={cited === 0 ? 'text-warning-foreground' : 'text-muted-foreground'}>
        {t('coverage', { cited, total: sources.length })}
      </p>
      <ul className="mt-2 grid gap-2">
        {sources.map((source) => (
          <li key={source.note_index} className="flex gap-2">
            {source.cited ? (
              <CircleCheck aria-hidden className="text-success mt-0.5 size-4 shrink-0" />
            ) : (
              <CircleDashed aria-hidden className="text-muted-foreground mt-0.5 size-4 shrink-0" />
            )}
            <Source source={source} onOpenNote={onOpenNote} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Source({
  source,
  onOpenNote,
}: {
  source: Schema<'SourceCoverageView'>
  onOpenNote: OpenNote | undefined
}) {
  const { t } = useTranslation('ai')
  const { note_index: index, note_title: title, cited, relevant_claim: claim, quote } = source
  return (
    <div className="min-w-0">
      {onOpenNote ? (
        <button
          type="button"
          className="text-left font-medium underline underline-offset-2"
          onClick={() => onOpenNote(index, quote)}
        >
          {index}. {title}
        </button>
      ) : (
        <span className="font-medium">
          {index}. {title}
        </span>
      )}{' '}
      <span className="text-muted-foreground">
        {cited ? t('qaSourceCited') : t('qaSourceNotCited')}
      </span>
      {claim && <p>{claim}</p>}
      {quote && (
        <blockquote className="text-muted-foreground border-border mt-1 border-l-2 pl-2">
          {quote}
          {source.quote_found === false && ` (${t('quoteNotFound')})`}
        </blockquote>
      )}
    </div>
  )
}
