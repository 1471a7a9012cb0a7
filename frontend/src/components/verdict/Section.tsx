import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'

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
