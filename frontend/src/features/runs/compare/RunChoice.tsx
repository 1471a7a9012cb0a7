import { useTranslation } from 'react-i18next'

import { Badge, ButtonLink, TextLink } from '@/components/ui'

import { useRun } from '../api/runs'
import { moment } from '../figures'

import { compareAddress, withBaseline, without, type Chosen } from './chosenRuns'

/** The runs that are compared, which of them is the baseline, and the way to change either. They
 * can be changed where the comparison is refused, too. */
export function RunChoice({ chosen }: { chosen: Chosen }) {
  const { t } = useTranslation('runs')
  return (
    <section aria-label={t('compare.runs')}>
      <ul className="flex flex-wrap gap-2">
        {[chosen.baseline, ...chosen.others].map((id) => (
          <ChosenRun key={id} id={id} chosen={chosen} />
        ))}
      </ul>
    </section>
  )
}

function ChosenRun({ id, chosen }: { id: string; chosen: Chosen }) {
  const { t } = useTranslation('runs')
  const { data: run } = useRun(id)
  const name = run?.name ?? id
  const isBaseline = id === chosen.baseline
  // Two runs are called A and B in what is said of them.
  const isPair = chosen.others.length === 1
  return (
    <li className="border-border bg-card flex max-w-full min-w-0 flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border px-3 py-2 text-sm">
      {isBaseline && (
        <Badge variant="info">
          {t('compare.baseline')}
          {isPair && ' (A)'}
        </Badge>
      )}
      {isPair && !isBaseline && <Badge>B</Badge>}
      <span className="min-w-0 break-words">
        <TextLink to={`/runs/${id}`}>{name}</TextLink>
        {run && <span className="text-muted-foreground"> · {moment(run.created_at)}</span>}
      </span>
      <span className="flex gap-1">
        {!isBaseline && (
          <ButtonLink
            to={compareAddress(withBaseline(chosen, id))}
            aria-label={`${t('compare.makeBaseline')}: ${name}`}
            variant="ghost"
            size="sm"
          >
            {t('compare.makeBaseline')}
          </ButtonLink>
        )}
        {!isPair && (
          <ButtonLink
            to={compareAddress(without(chosen, id))}
            aria-label={`${t('compare.leaveOut')}: ${name}`}
            variant="ghost"
            size="sm"
          >
            {t('compare.leaveOut')}
          </ButtonLink>
        )}
      </span>
    </li>
  )
}
