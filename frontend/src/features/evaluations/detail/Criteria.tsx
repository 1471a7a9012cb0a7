import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'
import { percent } from '@/lib/figures'
import type { EvaluationView } from '@/lib/verdict'

const LOW = 0.34
const HIGH = 0.66

/** What the verdict says by the workspace's own criteria; nothing where there is none. */
export function Criteria({ scores }: { scores: EvaluationView['criteria'] }) {
  const { t } = useTranslation('evaluations')
  if (scores.length === 0) return null
  const toneOf = (value: number) => (value < LOW ? 'danger' : value < HIGH ? 'warning' : 'success')
  return (
    <section aria-label={t('criteria.title')} className="grid gap-2 text-sm">
      <h3 className="font-semibold">{t('criteria.title')}</h3>
      <ul className="grid gap-2">
        {scores.map(({ name, version, value, label, reasoning, source }) => (
          <li key={name} className="grid gap-1">
            <span className="flex flex-wrap items-center gap-2 break-all">
              <span title={t('criteria.version', { version })}>{name}</span>
              {value === null ? (
                <Badge>{t('criteria.unscored')}</Badge>
              ) : (
                <Badge variant={toneOf(value)}>
                  {label ??
                    (source === 'rules'
                      ? t(value === 1 ? 'criteria.met' : 'criteria.unmet')
                      : percent(value))}
                </Badge>
              )}
            </span>
            {reasoning && <span className="text-muted-foreground">{reasoning}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
