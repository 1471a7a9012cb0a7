import i18n from 'i18next'
import { useTranslation } from 'react-i18next'

import { Section } from './Section'

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
