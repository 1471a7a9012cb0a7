import i18n from 'i18next'
import { Check, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'
import { cn } from '@/lib/cn'
import type { Voice } from '@/lib/judge'

import { Section } from './Section'

export function GroundingIssues({ issues, voice }: { issues: readonly string[]; voice: Voice }) {
  const { t } = useTranslation('ai')
  return (
    <Section title={t('qaGroundingIssues')}>
      {issues.length === 0 ? (
        <p className="text-muted-foreground">
          {t(voice === 'local' ? 'noIssues.local' : 'qaNoIssues')}
        </p>
      ) : (
        <ul className="text-danger list-disc pl-5">
          {issues.map((issue) => (
            <li key={issue}>{issue}</li>
          ))}
        </ul>
      )}
    </Section>
  )
}

// Shown beside the badge.
const SHOWN_BY_BADGE = [
  'claims_limit_reached',
  'confidence_lowered:below_guarantee',
  'confidence_lowered:prompt_unproven',
]

interface DoubtsProps {
  flags?: readonly string[] | undefined
  /** Whose scores are not shown, and so no doubts about them either. */
  ofRules?: boolean
}

/** What speaks against the verdict itself; as the API calls it where we know no better. */
export function Doubts({ flags = [], ofRules = false }: DoubtsProps) {
  const { t } = useTranslation('ai')
  const shown = ofRules
    ? flags.filter((flag) => flag.includes('_ended:'))
    : flags.filter((flag) => !SHOWN_BY_BADGE.includes(flag))
  const doubts = new Set(shown.map(inWords))
  if (doubts.size === 0) return null
  return (
    <Section title={t('doubts.title')}>
      <ul className="text-warning-foreground list-disc pl-5">
        {[...doubts].map((doubt) => (
          <li key={doubt}>{doubt}</li>
        ))}
      </ul>
    </Section>
  )
}

/** flag: a key, with or without a detail behind a colon. */
function inWords(flag: string): string {
  const [name = '', detail = ''] = flag.split(/:(.*)/s)
  const known = [name, `${name}_${detail}`].find((each) => i18n.exists(`ai:doubts.${each}`))
  return known ? i18n.t(`ai:doubts.${known as 'quote_not_found'}`, { detail }) : flag
}

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
