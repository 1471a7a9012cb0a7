import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { Highlighted } from '@/components/answer/Highlighted'
import { Card, CardTitle } from '@/components/ui'
import type { Schema } from '@/lib/api'

export interface OpenedNote {
  index: number
  quote: string | undefined
}

interface Props {
  notes: readonly Schema<'GivenNote'>[]
  lang: string
  /** Scrolled to, with its quote marked. */
  opened: OpenedNote | null
}

/** The notes as the answering model was given them; on a wide screen they scroll beside the
 * answer. */
export function LabelNotes({ notes, lang, opened }: Props) {
  const { t } = useTranslation(['evaluations', 'ai'])
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    if (!opened) return
    const note = list.current?.querySelector(`[data-note="${opened.index}"]`)
    const mark = opened.quote ? note?.querySelector('mark') : null
    ;(mark ?? note)?.scrollIntoView({ block: mark ? 'center' : 'start' })
  }, [opened])
  return (
    <Card
      id="label-notes"
      tabIndex={0}
      aria-label={t('detail.sources')}
      className="scroll-mt-16 lg:sticky lg:top-18 lg:max-h-[calc(100dvh-10rem)] lg:self-start lg:overflow-y-auto"
    >
      <CardTitle>{t('detail.sources')}</CardTitle>
      {notes.length === 0 && (
        <p className="text-muted-foreground text-sm">{t('detail.noSources')}</p>
      )}
      <ol ref={list} lang={lang} className="divide-border grid divide-y">
        {notes.map(({ note_index: index, title, content }) => (
          <li key={index} data-note={index} className="scroll-mt-16 py-3 first:pt-0">
            <h3 className="mb-1 text-sm font-medium">
              {index}. {title || t('ai:noteNumber', { index })}
            </h3>
            <Highlighted text={content} quote={opened?.index === index ? opened.quote : ''} />
          </li>
        ))}
      </ol>
    </Card>
  )
}
