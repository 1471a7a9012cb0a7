import { useMutation, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useSystemHealth, useWho } from '@/hooks/workspace'
import { api, data } from '@/lib/api'
import { toast, toastError } from '@/lib/toast'

const ACT = 'font-medium underline'

/** Says on every page that verdicts are late, how many answers wait, and what to do about it. */
export function HealthBanner() {
  const { t } = useTranslation('nav')
  const { data: health } = useSystemHealth()
  const { data: who } = useWho()
  const may = (scope: 'write' | 'operator') => who?.scopes.includes(scope)
  const { stranded, waiting } = health ?? { stranded: 0, waiting: 0 }
  return (
    // It is there before it says something, or screen readers would miss it.
    <div role="status">
      {health?.delayed && (
        <p className="bg-warning-soft text-warning-foreground flex items-start gap-2 px-4 py-2 text-sm md:px-8">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0">
            <strong>{t('delayed')}</strong> {t('cause', { context: health.condition })}{' '}
            {/* They change every few seconds, which nobody wants read out. */}
            <span aria-live="off">
              {waiting > stranded && t('waiting', { count: waiting - stranded })}{' '}
              {stranded > 0 && t('stranded', { count: stranded })}
            </span>{' '}
            {stranded > 0 && may('write') && <Reassign />} {stranded < waiting && t('delayedText')}{' '}
            {may('operator') && (
              <Link to="/system" className={ACT}>
                {t('delayedWhy')}
              </Link>
            )}
          </span>
        </p>
      )}
    </div>
  )
}

/** Has the answers that wait for judges which the policy no longer names judged by its own. */
function Reassign() {
  const { t } = useTranslation('nav')
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => data(api.POST('/evaluation/rejudge/stranded')),
    onSuccess: ({ answers: count, judge_model: judge }) =>
      toast(t('reassigned', { count, judge }), 'success'),
    onError: toastError,
    onSettled: () => client.invalidateQueries({ queryKey: ['get', '/system/health'] }),
  })
  return (
    <button type="button" className={ACT} disabled={isPending} onClick={() => mutate()}>
      {t('reassign')}
    </button>
  )
}
