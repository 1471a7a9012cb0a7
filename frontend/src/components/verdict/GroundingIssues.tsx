import { useTranslation } from 'react-i18next'

import { Section } from './Section'

export function GroundingIssues({ issues }: { issues: readonly string[] }) {
  const { t } = useTranslation('ai')
  return (
    <Section title={t('qaGroundingIssues')}>
      {issues.length === 0 ? (
        <p className="text-muted-foreground">{t('qaNoIssues')}</p>
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
