import { useTranslation } from 'react-i18next'

import type { Schema } from '@/lib/api'

/** What is seen, why, and what to do. */
export function Advice({
  advice,
}: {
  advice: Pick<Schema<'PatternRead'>, 'symptom' | 'cause' | 'actions'>
}) {
  const { t } = useTranslation('runs')
  return (
    <div className="mt-1 grid gap-2 text-sm">
      <p>{advice.symptom}</p>
      <p>
        <strong>{t('findings.cause')}:</strong> {advice.cause}
      </p>
      <div>
        <strong>{t('findings.actions')}</strong>
        <ul className="list-disc pl-5">
          {advice.actions.map((action) => (
            <li key={action}>{action}</li>
          ))}
        </ul>
      </div>
    </div>
  )
}
