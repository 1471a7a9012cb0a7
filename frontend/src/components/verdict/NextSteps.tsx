import { useTranslation } from 'react-i18next'

import { Badge, Button } from '@/components/ui'
import type { Schema } from '@/lib/api'

import { Section } from './Section'

interface Props {
  steps: Schema<'NextStepsPhaseView'>
  /** Asks one of them as the next question; without it they are only listed. */
  onAsk?: ((question: string) => void) | undefined
  /** While no question can be asked. */
  disabled?: boolean
}

export function NextSteps({ steps, onAsk, disabled = false }: Props) {
  const { t } = useTranslation('ai')
  const { suggested_queries: queries, action_items: actions, urgency } = steps
  if (queries.length + actions.length === 0) return null
  return (
    <Section title={t('nextSteps')}>
      {urgency === 'high' && <Badge variant="danger">{t('urgent')}</Badge>}
      {actions.length > 0 && (
        <ul className="list-disc pl-5">
          {actions.map((action) => (
            <li key={action}>{action}</li>
          ))}
        </ul>
      )}
      <ul className="mt-2 flex flex-wrap gap-2">
        {queries.map((query) => (
          <li key={query} className="max-w-full">
            {onAsk ? (
              <Button
                variant="outline"
                size="sm"
                className="h-auto max-w-full py-1 text-left whitespace-normal"
                disabled={disabled}
                onClick={() => onAsk(query)}
              >
                {query}
              </Button>
            ) : (
              query
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
