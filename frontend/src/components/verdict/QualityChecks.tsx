import { Check, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'
import { cn } from '@/lib/cn'

import { Section } from './Section'

/** The checklist of the quality gate. */
export function QualityChecks({ quality }: { quality: Schema<'QualityResultView'> }) {
  const { t } = useTranslation('ai')
  return (
    <Section title={t('checklist')} source={quality.source}>
      <ul className="grid gap-1">
        {quality.items.map(({ item, passed, reason }) => (
          <li key={item} className="flex gap-2">
            {passed ? (
              <Check
                aria-hidden
                className={cn(
                  'mt-0.5 size-4 shrink-0',
                  quality.source === 'judge' && 'text-success',
                )}
              />
            ) : (
              <X aria-hidden className="text-danger mt-0.5 size-4 shrink-0" />
            )}
            <span>
              <span className="sr-only">{passed ? t('met') : t('notMet')}: </span>
              {item}
              {reason && <span className="text-muted-foreground"> — {reason}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
