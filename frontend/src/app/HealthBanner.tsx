import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useSystemHealth } from '@/hooks/workspace'
import { useWho } from '@/hooks/workspace'

/** Says on every page that verdicts are late; who operates the system is led to the reason. */
export function HealthBanner() {
  const { t } = useTranslation('nav')
  const { data: health } = useSystemHealth()
  const { data: who } = useWho()
  return (
    // It is there before it says something, or screen readers would miss it.
    <div role="status">
      {health?.delayed && (
        <p className="bg-warning-soft text-warning-foreground flex items-start gap-2 px-4 py-2 text-sm md:px-8">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0">
            <strong>{t('delayed')}</strong> {t('delayedText')}{' '}
            {who?.scopes.includes('operator') && (
              <Link to="/system" className="font-medium underline">
                {t('delayedWhy')}
              </Link>
            )}
          </span>
        </p>
      )}
    </div>
  )
}
