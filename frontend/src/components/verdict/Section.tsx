import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'
import { isQuoted } from '@/lib/language'

interface Props {
  title: string
  /** Who found it; rules are named. */
  source?: Schema<'QualityResultView'>['source']
  children: ReactNode
}

/** A part of a verdict under its heading. */
export function Section({ title, source, children }: Props) {
  const { t } = useTranslation('ai')
  return (
    <section className="text-sm">
      <h3 className="mb-1 font-semibold">
        {title}
        {source === 'rules' && (
          <span className="text-muted-foreground font-normal"> ({t('byRules')})</span>
        )}
      </h3>
      {children}
    </section>
  )
}

/** What a judge wrote; a quotation where it is not in the language of the page. */
export function Words({ children }: { children: string }) {
  if (!isQuoted(children)) return <p className="text-sm">{children}</p>
  return (
    <blockquote className="border-border text-muted-foreground border-l-2 pl-3 text-sm">
      <q>{children}</q>
    </blockquote>
  )
}
