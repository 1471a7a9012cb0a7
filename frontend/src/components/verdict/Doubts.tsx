import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

import { Section } from './Section'

const KNOWN = [
  'score_contradicts_issues',
  'quote_not_found',
  'quote_in_other_note',
  'value_not_stated',
  'claim_not_judged',
  'sentence_not_judged',
  'utility_by_rules',
  'nothing_claimed',
  'confidence_lowered_unsupported_claim',
  'confidence_lowered_grounding_issue',
  'confidence_lowered_needs_improvement',
  'confidence_lowered_checklist_not_passed',
  'phases_ended',
  'checklist_ended',
] as const
// Shown beside the badge.
const SHOWN_BY_BADGE = [
  'claims_limit_reached',
  'confidence_lowered:below_guarantee',
  'confidence_lowered:prompt_unproven',
]

interface Props {
  flags?: readonly string[] | undefined
  /** Whose scores are not shown, and so no doubts about them either. */
  ofRules?: boolean
}

/** What speaks against the verdict itself; as the API calls it where we know no better. */
export function Doubts({ flags = [], ofRules = false }: Props) {
  const { t } = useTranslation('ai')
  const shown = ofRules
    ? flags.filter((flag) => flag.includes('_ended:'))
    : flags.filter((flag) => !SHOWN_BY_BADGE.includes(flag))
  const doubts = new Set(shown.map((flag) => inWords(flag, t)))
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
function inWords(flag: string, t: TFunction<'ai'>): string {
  const [name = '', detail = ''] = flag.split(/:(.*)/s)
  const known = KNOWN.find((one) => one === name || one === `${name}_${detail}`)
  return known ? t(`doubts.${known}`, { detail }) : flag
}
