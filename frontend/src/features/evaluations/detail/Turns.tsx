import { useTranslation } from 'react-i18next'

import type { EvaluationView } from '@/lib/verdict'

/** What the question was understood as, and the turns before it that the judge was shown. */
export function Turns({ view }: { view: EvaluationView }) {
  const { t } = useTranslation('evaluations')
  const { history, standalone_question: understood } = view
  if (history.length === 0) return null
  return (
    <div className="grid gap-2 text-sm">
      {understood && (
        <p>
          <span className="text-muted-foreground">{t('turns.understood')}</span>{' '}
          <span lang={view.lang}>{understood}</span>
        </p>
      )}
      <details>
        <summary className="text-muted-foreground w-fit cursor-pointer">
          {t('turns.title', { count: history.length })}
        </summary>
        <p className="text-muted-foreground mt-2">{t('turns.noEvidence')}</p>
        <ol className="border-border mt-2 grid gap-3 border-l-2 pl-3">
          {history.map(({ question, answer }, at) => (
            // Turns never change.
            <li key={at} className="grid gap-1 wrap-anywhere whitespace-pre-wrap">
              <p className="font-medium">{question}</p>
              <p className="text-muted-foreground">{answer}</p>
            </li>
          ))}
        </ol>
      </details>
    </div>
  )
}
