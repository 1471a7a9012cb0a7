import { useTranslation } from 'react-i18next'

import type { Row } from './api/analytics'
import { formatsOf, meanOf, sum } from './values'

/** The period in four figures. */
export function Summary({ rows, mix }: { rows: Row[]; mix: Row[] | undefined }) {
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
    <>
      <Figures figures={figures} />
      {mix && <Judges rows={mix} degraded={sum(rows, 'degraded')} />}
    </>
  )
}

/** Who gave the verdicts: averages over rules are not averages over a model. */
function Judges({ rows, degraded }: { rows: Row[]; degraded: number }) {
  const { t, i18n } = useTranslation('quality')
  const { integer } = formatsOf(i18n.language)
  const of = (prefix: string) =>
    ['high', 'medium', 'low'].reduce((count, name) => count + sum(rows, `${prefix}${name}`), 0)
  const [rules, local] = [of('rules_'), of('local_')]
  return (
    <p className="text-muted-foreground mb-4 text-sm">
      {t('summary.judges', {
        model: integer(of('') - rules - local),
        local: integer(local),
        rules: integer(rules),
        degraded: integer(degraded),
      })}
    </p>
  )
}

interface FiguresProps {
  figures: { name: string; value: string; note: string }[]
}

function Figures({ figures }: FiguresProps) {
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
