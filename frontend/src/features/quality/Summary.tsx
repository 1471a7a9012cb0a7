import { useTranslation } from 'react-i18next'

import type { Row } from './api/analytics'
import { formatsOf, meanOf, sum } from './values'

/** The period in four figures. */
export function Summary({ rows }: { rows: Row[] }) {
  const { t, i18n } = useTranslation(['quality', 'ai'])
  const { percent, integer } = formatsOf(i18n.language)
  const mean = (name: string) => {
    const value = meanOf(rows, name, 'scored')
    return value === null ? '–' : percent(value)
  }
  const scored = sum(rows, 'scored')
  const answers = sum(rows, 'answers')
  const of = t('daily.note', { scored: integer(scored), answers: integer(answers) })
  const figures = [
    { name: t('ai:qaCorrectness'), value: mean('correctness'), note: of },
    { name: t('ai:qaUtility'), value: mean('utility'), note: of },
    {
      name: t('coverage'),
      value: answers === 0 ? '–' : percent(scored / answers),
      note: t('summary.left', {
        skipped: integer(sum(rows, 'skipped')),
        failed: integer(sum(rows, 'failed')),
        pending: integer(sum(rows, 'pending')),
        degraded: integer(sum(rows, 'degraded')),
      }),
    },
  ]
  return (
    <dl className="mb-4 grid gap-4 sm:grid-cols-3">
      {figures.map(({ name, value, note }) => (
        <div key={name} className="bg-card border-border rounded-lg border p-3">
          <dt className="text-muted-foreground text-sm">{name}</dt>
          <dd className="text-2xl font-semibold tabular-nums">{value}</dd>
          <dd className="text-muted-foreground text-xs">{note}</dd>
        </div>
      ))}
    </dl>
  )
}
