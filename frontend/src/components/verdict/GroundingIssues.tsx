import { useTranslation } from 'react-i18next'

import type { Voice } from '@/lib/judge'

import { Section } from './Section'

interface Props {
  issues: readonly string[]
  voice: Voice
}

export function GroundingIssues({ issues, voice }: Props) {
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
