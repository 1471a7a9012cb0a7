import { CircleAlert, CircleCheck, CircleHelp } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { cn } from '@/lib/cn'
import { count } from '@/lib/figures'

import type { Problem } from './api/system'
import { age } from './format'

const LOOK = {
  severe: { Icon: CircleAlert, className: 'bg-danger-soft text-danger-foreground' },
  warning: { Icon: CircleAlert, className: 'bg-warning-soft text-warning-foreground' },
  unknown: { Icon: CircleHelp, className: 'bg-muted text-foreground' },
}

const WARNINGS = new Set<Problem['condition']>(['slow_judge', 'judge_paused', 'unindexed'])

function lookOf(condition: Problem['condition']) {
  if (condition === 'unknown') return LOOK.unknown
  return WARNINGS.has(condition) ? LOOK.warning : LOOK.severe
}

/** What is wrong and what to do, or that all is well. */
export function Problems({ problems }: { problems: Problem[] }) {
  const { t, i18n } = useTranslation('system')
  if (problems.length === 0) {
    return (
      <p className="bg-success-soft text-success-foreground flex items-center gap-2 rounded-lg p-4 text-sm font-medium">
        <CircleCheck aria-hidden className="size-4 shrink-0" />
        {t('conditions.ok.title')}
      </p>
    )
  }
  return (
    <ul className="grid gap-3" aria-label={t('problems')}>
      {problems.map((problem) => {
        const { condition, queue, judge_model: judge, due, oldest_seconds: oldest } = problem
        const { workspaces = 0, obstacle } = problem
        const { Icon, className } = lookOf(condition)
        const places = [
          queue && t(`queues.names.${queue}`),
          judge,
          workspaces > 0 && t('unindexed', { shown: count(workspaces), count: workspaces }),
        ]
        const where = places.filter(Boolean).join(' · ')
        return (
          <li
            key={[condition, queue, judge].join(' ')}
            className={cn('grid gap-1 rounded-lg p-4 text-sm', className)}
          >
            <p className="flex items-center gap-2 font-semibold">
              <Icon aria-hidden className="size-4 shrink-0" />
              {t(`conditions.${condition}.title`)}
            </p>
            {(where !== '' || due > 0) && (
              <p className="break-words">
                {where}
                {where !== '' && due > 0 && ' · '}
                {due > 0 &&
                  t('waiting', {
                    shown: count(due),
                    count: due,
                    oldest: age(oldest, i18n.language),
                  })}
              </p>
            )}
            <p>{t(`conditions.${condition}.text`, { queue, context: obstacle ?? undefined })}</p>
          </li>
        )
      })}
    </ul>
  )
}
