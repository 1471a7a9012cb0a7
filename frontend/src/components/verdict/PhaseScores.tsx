import { useTranslation } from 'react-i18next'

import { ProgressBar } from '@/components/ui'
import type { Schema } from '@/lib/api'
import type { Voice } from '@/lib/judge'

import { Section } from './Section'
import { toneOf } from './tone'

// From where the API says that an answer needs no improvement.
const GOOD = 0.7
const FAIR = 0.5

interface Props {
  feedback: Schema<'FeedbackView'>
  voice: Voice
  withScores: boolean
}

/** The scores of the phases; those that had nothing to check say so. Without scores, what is missing
 * in the answer. */
export function PhaseScores({ feedback, voice, withScores }: Props) {
  const { t } = useTranslation('ai')
  const { citation, completeness, groundedness } = feedback
  const phases = [
    { name: 'citation', phase: citation, score: citation?.context_relevance },
    { name: 'completeness', phase: completeness, score: completeness?.completeness },
    { name: 'groundedness', phase: groundedness, score: groundedness?.groundedness },
  ] as const
  const missing = completeness && <Nuggets nuggets={completeness.nuggets} />
  if (!withScores) return missing
  return (
    <Section title={t('phases.title')}>
      <div className="grid gap-3 sm:grid-cols-3">
        {phases.map(
          ({ name, phase, score }) =>
            phase && (
              <div key={name} className="grid content-start gap-1">
                {typeof score === 'number' ? (
                  <ProgressBar
                    label={t(`phases.${name}`)}
                    value={score}
                    tone={toneOf(score, GOOD, FAIR, phase.source === 'rules' ? 'rules' : voice)}
                  />
                ) : (
                  <p>
                    {t(`phases.${name}`)}:{' '}
                    <span className="text-muted-foreground">{t('phases.nothing')}</span>
                  </p>
                )}
                {phase.fallback !== null ? (
                  <p className="text-warning-foreground text-xs" title={phase.fallback}>
                    {t('phases.fallback')}
                  </p>
                ) : (
                  phase.source === 'rules' && (
                    <p className="text-muted-foreground text-xs">{t('byRules')}</p>
                  )
                )}
              </div>
            ),
        )}
      </div>
      {missing}
    </Section>
  )
}

function Nuggets({ nuggets }: { nuggets: readonly Schema<'NuggetView'>[] }) {
  const { t } = useTranslation('ai')
  const missing = nuggets.filter(({ support }) => support !== 'supported')
  if (missing.length === 0) return null
  return (
    <div className="mt-2 text-sm">
      <p className="text-muted-foreground">{t('missing')}</p>
      <ul className="list-disc pl-5">
        {missing.map(({ text, importance, support }) => (
          <li key={text}>
            {text}{' '}
            <span className="text-muted-foreground">
              (
              {[...(importance === 'vital' ? [t('vital')] : []), t(`support.${support}`)].join(
                ', ',
              )}
              )
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
